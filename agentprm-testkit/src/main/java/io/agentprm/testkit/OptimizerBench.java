package io.agentprm.testkit;

import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainablePolicy;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.rollout.RolloutPlan;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.Trajectory;
import java.util.ArrayList;
import java.util.List;

/**
 * What optimisers are tried on: the toy house, a table that knows the form of replies and nothing
 * else, and what its optimiser took and left of it.
 */
final class OptimizerBench {
    private static final int EPISODES = 300;

    private final ToyMdp mdp = ToyMdp.house();
    private final ToyEnvironment environment = ToyEnvironment.of(mdp);
    private final TabularModel model =
            TabularModel.adamW(mdp.tokenizer(), mdp.replyPrior(), OptimizerOptions.adamW(0));
    private final TabularPolicy policy =
            TabularPolicy.of("pi", model, ToyRenderer.of(mdp.tokenizer()));
    private final WatchedSnapshots snapshots = new WatchedSnapshots(model);
    private final long start = model.weightsHash();

    TabularModel model() {
        return model;
    }

    long startHash() {
        return start;
    }

    /** The snapshots that were taken through {@link #watched}. */
    List<WatchedSnapshots.Snapshot> snapshots() {
        return snapshots.taken();
    }

    /** The policy, with an eye on the snapshots of its model. */
    TrainablePolicy watched() {
        TrainableModel watchedModel = snapshots.watched();
        return new TrainablePolicy() {
            @Override
            public TrainableModel model() {
                return watchedModel;
            }

            @Override
            public StateRenderer renderer() {
                return policy.renderer();
            }

            @Override
            public Sampling sampling() {
                return policy.sampling();
            }

            @Override
            public String id() {
                return policy.id();
            }

            @Override
            public List<List<Decision>> decide(List<DecisionRequest> requests) {
                return policy.decide(requests);
            }

            @Override
            public void close() {
                policy.close();
            }
        };
    }

    private List<Trajectory> play(Policy who, int episodes, long seed) {
        return SimpleRollouts.of(environment)
                .collect(
                        who,
                        RolloutPlan.of(
                                environment.tasks("train"), episodes, RandomSource.of(seed)));
    }

    /** Demonstrations of the optimal way, with random ones that fail among them. */
    List<Trajectory> trajectories() {
        List<Trajectory> all = new ArrayList<>(play(ScriptedPolicy.random(), 10, 3));
        all.addAll(play(ScriptedPolicy.sequence("left", "open"), 20, 3));
        return all;
    }

    /** Exact values of actions; 0 for what is none. */
    RewardModel rewardModel() {
        ToyValues values = ToyValues.of(mdp, 0.95);
        return ScriptedRewardModel.of(
                ScoreScale.PROBABILITY,
                (state, decision) ->
                        decision.parseFailure().isPresent()
                                ? 0
                                : values.optimalQ(
                                        state.observation().text(),
                                        state.turn(),
                                        decision.action().text()));
    }

    /** Mean outcome of the policy as it is now, over the same draws at every call. */
    double value() {
        return play(policy, EPISODES, 5).stream()
                .mapToDouble(trajectory -> trajectory.outcome().orElse(0))
                .average()
                .orElse(0);
    }
}
