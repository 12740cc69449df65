package io.agentprm.env.webshop.suite;

import io.agentprm.env.webshop.goal.GoalKind;
import io.agentprm.env.webshop.goal.GoalRules;
import java.util.List;

/** Whose seeds and splits. */
public enum Variant {
    /** The paper: test 0–499, dev 500–1499 and train from 1500 on, in an order of seed 233. */
    ORIGINAL,
    /** verl-agent: test 0–499 and train from 500 on, prices, limits and order by the seed. */
    VERL_AGENT,
    /** AgentGym: all goals in the paper's order, limits by its seed too. */
    AGENT_GYM;

    GoalRules rules(GoalKind kind, long seed) {
        return switch (this) {
            case ORIGINAL -> GoalRules.original(kind, seed);
            case VERL_AGENT -> GoalRules.verlAgent(seed);
            case AGENT_GYM -> GoalRules.agentGym(seed);
        };
    }

    /** Names of the splits. */
    List<String> splits() {
        return switch (this) {
            case ORIGINAL -> List.of("train", "dev", "test");
            case VERL_AGENT -> List.of("train", "test");
            case AGENT_GYM -> List.of("all");
        };
    }

    /**
     * Where a split lies in the list of goals. Of few goals, test and dev take a fifth each.
     *
     * @param split one of {@link #splits()}
     * @param goals number of goals
     */
    Positions positions(String split, int goals) {
        int test = Math.min(500, goals / 5);
        int dev = this == ORIGINAL ? Math.min(1000, goals / 5) : 0;
        return switch (split) {
            case "test" -> Positions.between(0, test);
            case "dev" -> Positions.between(test, test + dev);
            case "train" -> Positions.between(test + dev, goals);
            default -> Positions.between(0, goals);
        };
    }
}
