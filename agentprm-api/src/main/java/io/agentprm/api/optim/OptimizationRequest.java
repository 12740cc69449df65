package io.agentprm.api.optim;

import io.agentprm.api.Experimental;
import io.agentprm.api.lm.TrainablePolicy;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Trajectory;
import java.util.List;
import java.util.Optional;

/**
 * What a {@link PolicyOptimizer} works on. Immutable holder; the policy's model is changed in
 * place.
 */
@Experimental(since = "1.0")
public final class OptimizationRequest {
    private final TrainablePolicy policy;
    private final List<Trajectory> trajectories;
    private final RunContext context;
    private final Optional<RewardModel> rewardModel;

    private OptimizationRequest(
            TrainablePolicy policy,
            List<Trajectory> trajectories,
            RunContext context,
            Optional<RewardModel> rewardModel) {
        this.policy = policy;
        this.trajectories = List.copyOf(trajectories);
        this.context = context;
        this.rewardModel = rewardModel;
    }

    /**
     * Makes a request.
     *
     * @param policy policy to improve; its weights at this moment are the reference policy
     * @param trajectories demonstrations, or rollouts whose states are the prompts
     */
    public static OptimizationRequest of(
            TrainablePolicy policy, List<Trajectory> trajectories, RunContext context) {
        return new OptimizationRequest(policy, trajectories, context, Optional.empty());
    }

    public OptimizationRequest with(RewardModel model) {
        return new OptimizationRequest(policy, trajectories, context, Optional.of(model));
    }

    public TrainablePolicy policy() {
        return policy;
    }

    public List<Trajectory> trajectories() {
        return trajectories;
    }

    public RunContext context() {
        return context;
    }

    /** Present for optimisers that improve against a reward model. */
    public Optional<RewardModel> rewardModel() {
        return rewardModel;
    }
}
