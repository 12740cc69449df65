package io.agentprm.env.webshop.reward;

import io.agentprm.env.webshop.catalog.Product;
import io.agentprm.env.webshop.goal.Goal;
import io.agentprm.env.webshop.goal.GoalOption;
import io.agentprm.env.webshop.python.PythonText;
import java.util.Collection;
import java.util.List;

/**
 * Judges a purchase as the original does. Thread-safe.
 *
 * @param nouns finds the nouns of titles
 * @param similarity how texts are compared
 */
public record RewardFunction(NounExtractor nouns, Similarity similarity) {
    /** Above this, two texts mean the same. */
    private static final int SAME = 85;

    /**
     * The reward of a purchase.
     *
     * @param price what it costs, in dollars
     * @param chosen values of its options
     */
    public Reward judge(Product bought, Goal goal, double price, Collection<String> chosen) {
        return new Reward(
                TypeMatch.of(bought, goal, nouns),
                attributes(bought, goal),
                goal.attributes().size(),
                options(chosen, goal.options()),
                goal.options().size(),
                price <= goal.priceUpper());
    }

    private int attributes(Product bought, Goal goal) {
        int matches = 0;
        for (String wanted : goal.attributes()) {
            if (bought.attributes().stream().anyMatch(has -> same(has, wanted))
                    || PythonText.lower(bought.title()).contains(wanted)
                    || PythonText.lower(String.join(" ", bought.bullets())).contains(wanted)
                    || PythonText.lower(bought.description()).contains(wanted)) {
                matches++;
            }
        }
        return matches;
    }

    int options(Collection<String> chosen, List<GoalOption> wanted) {
        List<String> has = chosen.stream().map(Colors::normalise).toList();
        int matches = 0;
        for (GoalOption option : wanted) {
            String value = Colors.normalise(option);
            if (has.stream().anyMatch(one -> same(one, value))) {
                matches++;
            }
        }
        return matches;
    }

    private boolean same(String one, String other) {
        return TokenSets.ratio(one, other, similarity) > SAME;
    }
}
