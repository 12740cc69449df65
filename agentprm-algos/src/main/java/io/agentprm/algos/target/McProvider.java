package io.agentprm.algos.target;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.api.AgentPrmException;
import io.agentprm.api.plugin.Components;
import io.agentprm.api.plugin.TargetEstimatorProvider;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoringRequest;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.target.TargetEstimator;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.State;
import io.agentprm.api.trajectory.Trajectory;
import java.util.List;

/** The estimator {@code mc}. */
public final class McProvider implements TargetEstimatorProvider<McConfig> {
    @Override
    public String name() {
        return "mc";
    }

    @Override
    public String description() {
        return "Monte Carlo targets: mean discounted return over visits, without extra rollouts.";
    }

    @Override
    public Class<McConfig> configuration() {
        return McConfig.class;
    }

    @Override
    public TargetEstimator create(McConfig config, Components components, RunContext context) {
        if (config.truncated() == McConfig.Truncated.EXCLUDE) {
            return McEstimator.of(config, context.metrics());
        }
        Policy policy;
        RewardModel rewardModel;
        try {
            policy = components.policy();
            rewardModel = components.rewardModel();
        } catch (AgentPrmException e) {
            throw new AlgorithmException(
                    "truncated: bootstrap needs a policy and a reward model, which training has"
                            + " none of where turns are labelled; set truncated to exclude",
                    e);
        }
        RandomSource random = context.random().derive("bootstrap");
        return McEstimator.bootstrapping(
                config,
                trajectory -> finalValue(policy, rewardModel, random, trajectory),
                context.metrics());
    }

    /** Q(s, a) of one action that the policy takes in the final state: V(s) without bias. */
    private static double finalValue(
            Policy policy, RewardModel rewardModel, RandomSource random, Trajectory trajectory) {
        State last = trajectory.states().get(trajectory.length());
        RandomSource own = random.derive(trajectory.task().id()).derive(trajectory.episode());
        List<Decision> decisions =
                policy.decide(List.of(DecisionRequest.of(last, trajectory.id(), 1, own))).get(0);
        double score =
                rewardModel.score(List.of(ScoringRequest.of(last, trajectory.id(), decisions)))
                        .get(0)[0];
        policy.release(trajectory.id());
        rewardModel.release(trajectory.id());
        double value =
                rewardModel
                        .probability(score)
                        .orElseThrow(
                                () ->
                                        new AlgorithmException(
                                                "bootstrapping truncated episodes needs a reward"
                                                        + " model whose scores have a probability, "
                                                        + rewardModel.id()
                                                        + " is "
                                                        + rewardModel.scale()));
        if (!(value >= 0 && value <= 1)) {
            throw new AlgorithmException(
                    "the reward model valued the final state of "
                            + trajectory.id()
                            + " at "
                            + value
                            + ", which is no probability");
        }
        return value;
    }
}
