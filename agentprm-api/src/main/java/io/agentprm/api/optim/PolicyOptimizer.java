package io.agentprm.api.optim;

import io.agentprm.api.Experimental;
import java.util.Optional;

/** Improves a policy in place. */
@FunctionalInterface
@Experimental(since = "1.0")
public interface PolicyOptimizer {
    /**
     * Improves the request's policy. Stops at a safe point with a checkpoint if the context's
     * cancellation is requested.
     *
     * @throws io.agentprm.api.run.CancelledException if stopped before the end
     */
    OptimizationReport optimize(OptimizationRequest request);

    /**
     * What {@link #optimize} comes to, in words for a plan, such as {@code 40 steps of at most 64
     * prompts}; empty where that is not known beforehand.
     *
     * @param trajectories most trajectories that it will be given
     */
    default Optional<String> plan(int trajectories) {
        return Optional.empty();
    }
}
