package io.agentprm.env.webshop.expert;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.api.run.RandomSource;
import io.agentprm.env.webshop.TestData;
import io.agentprm.env.webshop.goal.Goal;
import io.agentprm.env.webshop.goal.GoalBook;
import io.agentprm.env.webshop.goal.GoalKind;
import io.agentprm.env.webshop.goal.GoalOption;
import io.agentprm.env.webshop.goal.GoalRules;
import io.agentprm.env.webshop.python.PythonText;
import io.agentprm.env.webshop.reward.RewardFunction;
import io.agentprm.env.webshop.reward.Similarity;
import io.agentprm.env.webshop.search.Inventory;
import io.agentprm.env.webshop.shop.Answer;
import io.agentprm.env.webshop.shop.ProductLinks;
import io.agentprm.env.webshop.shop.Shop;
import io.agentprm.env.webshop.shop.Visit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rules that were played on the original get the same reward for each of five hundred goals. */
class ReferencePoliciesTest {
    @Test
    void theFirstHitIsWorthWhatItWasWithAndWithoutTheOptionsOfTheGoal() {
        JsonNode recorded = TestData.json("reference_policies.json");
        try (Inventory inventory = TestData.inventory()) {
            GoalBook goals = GoalBook.of(inventory, GoalRules.original(GoalKind.SYNTHETIC, 42));
            RewardFunction rewards = new RewardFunction(TestData.nouns(), Similarity.DIFFLIB);
            Shop shop = Shop.of(inventory, goals, rewards, false, ProductLinks.ASIN);
            for (int i = 0; i < 500; i++) {
                Goal goal = goals.goal(i);
                assertEquals(
                        recorded.path("rule_first_hit").path("rewards").path(i).doubleValue(),
                        firstHit(shop, goal, List.of()),
                        "goal " + i);
                assertEquals(
                        recorded.path("rule_first_hit_with_goal_options")
                                .path("rewards")
                                .path(i)
                                .doubleValue(),
                        firstHit(shop, goal, goal.options()),
                        "goal " + i + " with options");
            }
        }
    }

    private static double firstHit(Shop shop, Goal goal, List<GoalOption> options) {
        Visit visit = new Visit(shop, goal, "s", RandomSource.of(1));
        String words = PythonText.lower(goal.instruction());
        visit.act("search[" + words.replace('[', '(').replace(']', ')') + "]");
        List<String> clicks = visit.clicks();
        visit.act(clicks.get(clicks.indexOf("click[next >]") + 1));
        for (GoalOption option : options) {
            visit.act("click[" + option.value() + "]");
        }
        return visit.act("click[buy now]") instanceof Answer.Bought bought
                ? bought.reward().total()
                : 0;
    }
}
