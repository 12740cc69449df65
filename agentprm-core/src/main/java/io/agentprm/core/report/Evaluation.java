package io.agentprm.core.report;

import java.util.List;
import java.util.Optional;

/**
 * Result of one way of deciding on one set of episodes.
 *
 * @param name the way of deciding, the same in every iteration: {@code policy}, {@code best-of-16},
 *     {@code random choice}, {@code majority vote}
 * @param agent who decided, such as {@code pi-1} or {@code BoN(pi-1, Q-1)}
 * @param decoding how replies were drawn and parsed, in words: {@code temperature 0.7, constrained}
 * @param episodes number of episodes
 * @param success share of successful episodes
 * @param score mean outcome; empty where every outcome is 0 or 1
 * @param meanActions mean number of actions of all episodes; a failure may count as the step limit
 * @param categories the same by category of task; may be empty
 */
public record Evaluation(
        String name,
        String agent,
        String decoding,
        int episodes,
        Estimate success,
        Optional<Estimate> score,
        double meanActions,
        List<CategoryResult> categories) {
    public Evaluation {
        categories = List.copyOf(categories);
    }
}
