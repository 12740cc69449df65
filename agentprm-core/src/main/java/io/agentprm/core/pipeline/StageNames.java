package io.agentprm.core.pipeline;

/** Names of a run's stages, which are the directories of their results. */
final class StageNames {
    static final String DEMONSTRATIONS = "demonstrations";
    static final String INITIAL_MODEL = "initial-model";
    static final String FIRST_POLICY = "policy-0";

    private static final String TOP =
            "demonstrations|initial-model|policy-0|iteration-[0-9]+|evaluation|evaluations|scaling";

    private StageNames() {}

    /** Whether a directory directly in a run's holds stages of it, or is one. */
    static boolean top(String name) {
        return name.matches(TOP);
    }

    static String rollouts(int iteration) {
        return iteration(iteration) + "rollouts";
    }

    static String targets(int iteration) {
        return iteration(iteration) + "targets";
    }

    static String rewardModel(int iteration) {
        return iteration(iteration) + "prm";
    }

    static String policy(int iteration) {
        return iteration(iteration) + "policy";
    }

    /**
     * An agent's evaluation.
     *
     * @param policyId such as {@code pi-1}
     * @param kind the way of acting, such as {@code best-of-n}
     */
    static String evaluation(String policyId, String kind) {
        return "evaluation/" + policyId + "-" + kind;
    }

    /**
     * A point of the scaling figure.
     *
     * @param number from 0
     */
    static String scaling(int number, String chooser) {
        return "scaling/" + number + "-" + chooser;
    }

    private static String iteration(int number) {
        return "iteration-" + number + "/";
    }
}
