package io.agentprm.core.report;

import java.util.List;

/**
 * One iteration of the loop and how it was evaluated.
 *
 * @param number 0 for the policy that the loop starts from
 * @param evaluations the plain policy first
 */
public record Iteration(int number, List<Evaluation> evaluations) {
    public Iteration {
        evaluations = List.copyOf(evaluations);
    }
}
