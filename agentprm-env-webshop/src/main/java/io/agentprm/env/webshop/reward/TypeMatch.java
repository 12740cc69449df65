package io.agentprm.env.webshop.reward;

import io.agentprm.env.webshop.catalog.Product;
import io.agentprm.env.webshop.goal.Goal;
import io.agentprm.env.webshop.python.PythonText;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether what was bought is the kind of thing that was wanted (WebShop, arXiv 2207.01206, appendix
 * on the reward).
 *
 * @param score factor of the reward: 1, 0.5, 0.1 or 0
 * @param query true if both were scraped by the same query
 * @param category true if their category paths share two elements or more
 * @param title share of the goal's nouns that the bought title has, in [0, 1]
 */
public record TypeMatch(double score, boolean query, boolean category, double title) {
    private static final double NO_NOUNS = 0.2;

    static TypeMatch of(Product bought, Goal goal, NounExtractor nouns) {
        boolean query = bought.query().equals(goal.query());
        boolean category = categoryMatch(bought.productCategory(), goal.productCategory());
        double title = titleScore(nouns.nouns(bought.title()), nouns.nouns(goal.name()));
        double score = query || category || title > 0.2 ? 1 : 0.5;
        if (title < 0.1) {
            score = 0.1;
        }
        if (title == 0) {
            score = 0;
        }
        return new TypeMatch(score, query, category, title);
    }

    /** True if two category paths share two different elements or more. */
    public static boolean categoryMatch(String one, String other) {
        Set<String> shared = elements(one);
        shared.retainAll(elements(other));
        return shared.size() >= 2;
    }

    private static Set<String> elements(String path) {
        return Arrays.stream(path.split("›", -1))
                .map(PythonText::strip)
                .collect(Collectors.toCollection(HashSet::new));
    }

    /**
     * Shared nouns, each counted once, over the goal's nouns, each counted as often as it occurs.
     */
    static double titleScore(List<String> bought, List<String> wanted) {
        if (wanted.isEmpty()) {
            return NO_NOUNS;
        }
        Set<String> shared = new HashSet<>(bought);
        shared.retainAll(new HashSet<>(wanted));
        return (double) shared.size() / wanted.size();
    }
}
