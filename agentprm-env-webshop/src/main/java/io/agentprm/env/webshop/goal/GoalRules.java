package io.agentprm.env.webshop.goal;

import java.util.OptionalLong;

/**
 * How goals are made of products.
 *
 * @param kind who wrote the instructions
 * @param loadSeed seed of the generator before anything is loaded: from it come the prices of
 *     products that have two, then the limits
 * @param limitSeed seed before the limits are drawn, if the generator is seeded again there
 * @param shuffleSeed seed of the order of goals
 */
public record GoalRules(GoalKind kind, long loadSeed, OptionalLong limitSeed, long shuffleSeed) {
    /** Seed of the order of goals in the original. */
    public static final long SHUFFLE_SEED = 233;

    /**
     * The original: only the order is seeded there; prices and limits change with every process, so
     * that a seed for them has to be chosen.
     */
    public static GoalRules original(GoalKind kind, long loadSeed) {
        return new GoalRules(kind, loadSeed, OptionalLong.empty(), SHUFFLE_SEED);
    }

    /** AgentGym: synthetic goals, and their limits drawn by the seed of their order. */
    public static GoalRules agentGym(long loadSeed) {
        return new GoalRules(
                GoalKind.SYNTHETIC, loadSeed, OptionalLong.of(SHUFFLE_SEED), SHUFFLE_SEED);
    }

    /** verl-agent: synthetic goals, everything by the seed of the worker. */
    public static GoalRules verlAgent(long workerSeed) {
        return new GoalRules(GoalKind.SYNTHETIC, workerSeed, OptionalLong.empty(), workerSeed);
    }
}
