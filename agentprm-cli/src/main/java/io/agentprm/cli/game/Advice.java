package io.agentprm.cli.game;

import io.agentprm.api.trajectory.Decision;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What can be done in a state, and what the advisers think of it.
 *
 * @param choices the admissible actions in the environment's order, then the policy's proposal if
 *     it is not among them
 * @param proposal what the policy would do; empty without a policy
 * @param trouble why there are no scores or no proposal although there are advisers
 */
public record Advice(List<Choice> choices, Optional<Decision> proposal, Optional<String> trouble) {
    public Advice {
        choices = List.copyOf(choices);
    }

    /** The choices with the best scores first; without scores in their order. */
    public List<Choice> ranked() {
        return choices.stream()
                .sorted(
                        Comparator.comparingDouble(
                                choice -> -choice.score().orElse(Double.NEGATIVE_INFINITY)))
                .toList();
    }
}
