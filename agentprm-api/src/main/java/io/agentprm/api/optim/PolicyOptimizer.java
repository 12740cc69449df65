package io.agentprm.api.optim;

/** Improves a policy in place. */
@FunctionalInterface
public interface PolicyOptimizer {
    /**
     * Improves the request's policy. Stops at a safe point with a checkpoint if the context's
     * cancellation is requested.
     *
     * @throws io.agentprm.api.run.CancelledException if stopped before the end
     */
    OptimizationReport optimize(OptimizationRequest request);
}
