package io.agentprm.testkit;

import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.optim.Imitation;
import io.agentprm.api.optim.LearningRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.reward.ScoringRequest;
import io.agentprm.api.rollout.RolloutPlan;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.target.TargetEstimator;
import io.agentprm.api.target.TurnLabel;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import io.agentprm.api.trajectory.Trajectory;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What learners of reward models are tried on: the toy house, a table that scores everything alike,
 * episodes of an expert and of a policy that knows the form of replies only.
 */
final class LearnerBench {
    private static final int DEMONSTRATIONS = 20;
    private static final int ROLLOUTS = 40;

    private final ToyMdp mdp = ToyMdp.house();
    private final ToyEnvironment environment = ToyEnvironment.of(mdp);
    private final ToyRenderer renderer = ToyRenderer.of(mdp.tokenizer());
    private final TabularModel model = table();
    private final WatchedSnapshots snapshots = new WatchedSnapshots(model);
    private final TabularPolicy policy = TabularPolicy.of("pi-0", table(), renderer);
    private final long policyHash = policy.model().weightsHash();
    private final List<Trajectory> demonstrations = play(expert(), DEMONSTRATIONS, 3);
    private final List<Trajectory> rollouts = play(policy, ROLLOUTS, 5);

    private TabularModel table() {
        return TabularModel.adamW(mdp.tokenizer(), mdp.replyPrior(), OptimizerOptions.adamW(0));
    }

    private static Policy expert() {
        return ScriptedPolicy.of(
                "expert",
                (state, random) ->
                        Decision.of(
                                state.observation().text().equals("kitchen") ? "open" : "left"));
    }

    private List<Trajectory> play(Policy who, int episodes, long seed) {
        return SimpleRollouts.of(environment)
                .collect(
                        who,
                        RolloutPlan.of(
                                environment.tasks("train"), episodes, RandomSource.of(seed)));
    }

    /** What is trained. */
    TabularModel model() {
        return model;
    }

    /** The model of the policy that imitates nobody yet. */
    TabularModel policyModel() {
        return policy.model();
    }

    /** Hash of the policy's weights at the start. */
    long policyHash() {
        return policyHash;
    }

    /** The snapshots of what is trained that its learner took. */
    List<WatchedSnapshots.Snapshot> snapshots() {
        return snapshots.taken();
    }

    List<Trajectory> demonstrations() {
        return demonstrations;
    }

    /** Episodes of the policy: some reach the goal, some fail, some run into the step limit. */
    List<Trajectory> rollouts() {
        return rollouts;
    }

    /** A request by labels. */
    LearningRequest labels(
            List<LabelledTrajectory> labelled, TargetEstimator estimator, RunContext context) {
        return LearningRequest.of(snapshots.watched(), renderer, labelled, context).with(estimator);
    }

    /** A request by demonstrations. */
    LearningRequest imitation(
            List<Trajectory> expert, List<Trajectory> learner, RunContext context) {
        return LearningRequest.of(
                snapshots.watched(), renderer, new Imitation(expert, learner, policy), context);
    }

    /**
     * By how much the model scores the expert's first two actions of the task higher than the other
     * actions in the same states, the mean of these.
     */
    double preference() {
        Trajectory one = demonstrations.get(0);
        return prefers(one.states().get(0), "left") + prefers(one.states().get(1), "open");
    }

    private double prefers(State state, String best) {
        double others =
                mdp.actions().stream()
                        .filter(action -> !action.equals(best))
                        .mapToDouble(action -> score(state, Decision.of(action)))
                        .average()
                        .orElse(0);
        return score(state, Decision.of(best)) - others;
    }

    private double score(State state, Decision decision) {
        ScoringRequest request =
                ScoringRequest.of(state, new EpisodeId(state.task().id(), 0), List.of(decision));
        return TabularRewardModel.of("Q", model, renderer).score(List.of(request)).get(0)[0];
    }

    /** The model's scores of all decisions of some episodes. */
    double[] scores(List<Trajectory> trajectories) {
        return trajectories.stream().flatMapToDouble(t -> Arrays.stream(scores(t))).toArray();
    }

    private double[] scores(Trajectory trajectory) {
        List<State> states = trajectory.states();
        return IntStream.range(0, trajectory.length())
                .mapToDouble(t -> score(states.get(t), trajectory.turns().get(t).decision()))
                .toArray();
    }

    /** The labels of one of the house's two tasks gone. */
    static List<LabelledTrajectory> withoutLabelsOf(
            String task, List<LabelledTrajectory> labelled) {
        return labelled.stream()
                .map(one -> one.trajectory().task().id().equals(task) ? unlabelled(one) : one)
                .toList();
    }

    private static LabelledTrajectory unlabelled(LabelledTrajectory one) {
        return LabelledTrajectory.of(
                one.trajectory(),
                Stream.generate(() -> Optional.<TurnLabel>empty())
                        .limit(one.trajectory().length())
                        .toList());
    }
}
