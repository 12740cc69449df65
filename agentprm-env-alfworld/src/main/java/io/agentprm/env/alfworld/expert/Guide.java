package io.agentprm.env.alfworld.expert;

import io.agentprm.api.policy.DecisionRequest;
import java.util.Optional;
import java.util.Set;

/** Knows a purposeful action for a state, from any history. */
@FunctionalInterface
interface Guide {
    /**
     * A purposeful action.
     *
     * @param admissible the actions that are admissible now
     * @return empty if it knows none
     */
    Optional<String> next(DecisionRequest request, Set<String> admissible);
}
