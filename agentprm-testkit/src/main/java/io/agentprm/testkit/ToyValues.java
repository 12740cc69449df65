package io.agentprm.testkit;

import java.util.function.BiFunction;

/**
 * Exact values of a {@link ToyMdp} by recursion over its steps. The reward is the outcome at the
 * end; values are discounted by the number of steps to the end, so the last decision's value is the
 * expected outcome itself.
 */
public final class ToyValues {
    private final ToyMdp mdp;
    private final double gamma;

    private ToyValues(ToyMdp mdp, double gamma) {
        this.mdp = mdp;
        this.gamma = gamma;
    }

    public static ToyValues of(ToyMdp mdp, double gamma) {
        return new ToyValues(mdp, gamma);
    }

    /** Q*(state, action) after so many steps taken. */
    public double optimalQ(String state, int stepsTaken, String action) {
        return backUp(state, stepsTaken, action, (next, steps) -> optimalValue(next, steps));
    }

    /** V*(state) after so many steps taken. */
    public double optimalValue(String state, int stepsTaken) {
        return mdp.actions().stream()
                .mapToDouble(action -> optimalQ(state, stepsTaken, action))
                .max()
                .orElse(0);
    }

    /**
     * Q^pi(state, action) of a policy that depends on state and number of steps taken.
     *
     * @param policy probabilities of {@link ToyMdp#actions()}, in order
     */
    public double q(String state, int stepsTaken, String action, Policy policy) {
        return backUp(state, stepsTaken, action, (next, steps) -> value(next, steps, policy));
    }

    /** V^pi(state) after so many steps taken. */
    public double value(String state, int stepsTaken, Policy policy) {
        double[] probabilities = policy.probabilities(state, stepsTaken);
        double value = 0;
        for (int a = 0; a < probabilities.length; a++) {
            if (probabilities[a] > 0) {
                value += probabilities[a] * q(state, stepsTaken, mdp.actions().get(a), policy);
            }
        }
        return value;
    }

    /** A policy that depends on state and number of steps taken. */
    @FunctionalInterface
    public interface Policy {
        double[] probabilities(String state, int stepsTaken);
    }

    private double backUp(
            String state,
            int stepsTaken,
            String action,
            BiFunction<String, Integer, Double> valueOfNext) {
        double q = 0;
        for (ToyMdp.Effect effect : mdp.effects(state, action)) {
            if (effect instanceof ToyMdp.Ends ends) {
                q += ends.probability() * ends.outcome();
            } else if (stepsTaken + 1 < mdp.stepLimit()) {
                String next = ((ToyMdp.Goes) effect).state();
                q += effect.probability() * gamma * valueOfNext.apply(next, stepsTaken + 1);
            }
        }
        return q;
    }
}
