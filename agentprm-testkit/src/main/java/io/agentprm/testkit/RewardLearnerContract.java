package io.agentprm.testkit;

import io.agentprm.api.AgentPrmException;
import io.agentprm.api.optim.LearningRequest;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.api.optim.RewardLearner;
import io.agentprm.api.optim.RewardLearner.Supervision;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.run.CancelledException;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.target.TargetEstimator;
import io.agentprm.api.trajectory.Trajectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every {@link RewardLearner} promises, tried on a small house with a tabular model, labelled
 * rollouts or, where the learner asks for them, demonstrations against rollouts. Extend it in a
 * test of your own, with settings for some ten short steps and no task held out:
 *
 * <pre>{@code
 * class MyLearnerTest extends RewardLearnerContract {
 *     @Override
 *     protected RewardLearner learner(RunContext context) {
 *         return new MyLearner(10, 0.1);
 *     }
 * }
 * }</pre>
 */
public abstract class RewardLearnerContract {
    private static final String OTHER_TASK = "train-1";

    @TempDir private Path first;
    @TempDir private Path second;

    /**
     * The learner, the same at every call.
     *
     * @param context what its provider would be given
     */
    protected abstract RewardLearner learner(RunContext context);

    /** What labels the rollouts; by default the outcome, discounted by 0.9 for every turn. */
    protected TargetEstimator estimator() {
        return new DiscountedOutcome(0.9);
    }

    private OptimizationReport learn(LearningRequest request) {
        return learner(request.context()).learn(request);
    }

    private OptimizationReport learn(LearnerBench bench, RunContext context) {
        return learn(
                supervision() == Supervision.LABELS
                        ? bench.labels(labelled(bench.rollouts()), estimator(), context)
                        : bench.imitation(bench.demonstrations(), bench.rollouts(), context));
    }

    private LearnerBench learned(Path directory) {
        LearnerBench bench = new LearnerBench();
        learn(bench, context(directory));
        return bench;
    }

    private static RecordingContext context(Path directory) {
        directory.toFile().mkdirs();
        return RecordingContext.of(1, directory);
    }

    private List<LabelledTrajectory> labelled(List<Trajectory> trajectories) {
        return estimator().estimate(trajectories);
    }

    private Supervision supervision() {
        return learner(RunContext.ofSeed(1)).supervision();
    }

    private void assumeItLearnsBy(Supervision wanted) {
        Assumptions.assumeTrue(supervision() == wanted, "learns by other means");
    }

    private static double[] scores(LearnerBench bench) {
        return bench.scores(bench.rollouts());
    }

    private static void assumeFinite(LearnerBench bench) {
        Assumptions.assumeTrue(
                Arrays.stream(scores(bench)).allMatch(Double::isFinite),
                "scores are not finite, see the other rule");
    }

    @Test
    final void itTellsGoodDecisionsFromBadOnes() {
        Rule rule =
                Rule.of(
                        "after learning, the actions of the way to the goal score higher than the"
                                + " others",
                        "look at the sign of the gradient, at the marks (the last token of each"
                                + " reply) and at the step size");
        LearnerBench bench = learned(first);
        assumeFinite(bench);
        double preference = bench.preference();
        rule.holds(
                preference > 0,
                "score of 'left' in the hall and then 'open' in the kitchen, less the mean of the"
                        + " other actions",
                "more than 0",
                preference);
    }

    @Test
    final void sameInputsGiveTheSameModel() {
        Rule rule =
                Rule.of(
                        "the same model, episodes and seed give the same weights and report",
                        "draw from context.random() only, and give every collection an order");
        LearnerBench one = new LearnerBench();
        OptimizationReport report = learn(one, context(first));
        LearnerBench other = new LearnerBench();
        rule.same(report, learn(other, context(second)), "report");
        rule.same(one.model().weightsHash(), other.model().weightsHash(), "hash of the weights");
    }

    @Test
    final void itStopsWhenAsked() {
        Rule rule =
                Rule.of(
                        "learning that is asked to stop ends with a CancelledException",
                        "look at context.cancellation() after every step");
        rule.refused(
                CancelledException.class,
                "a stop asked for from the start",
                () -> learn(new LearnerBench(), context(first).stoppingAtLook(1)));
    }

    @Test
    final void stoppedLearningGoesOnToTheSameModel() {
        long expected = learned(first.resolve("a")).model().weightsHash();
        Assumptions.assumeTrue(
                expected == learned(first.resolve("b")).model().weightsHash(),
                "does not even repeat itself, see the other rule");
        try {
            learn(new LearnerBench(), context(second).stoppingAtLook(3));
            Assumptions.abort("did not stop, see the other rule");
        } catch (CancelledException e) {
            // As it should be.
        }
        Rule rule =
                Rule.of(
                        "learning that was stopped goes on from its checkpoint, or from the start"
                                + " where it keeps none, and ends like an undisturbed one",
                        "save a checkpoint before throwing, restore the latest one at the start,"
                                + " and key draws by step");
        rule.same(
                expected,
                learned(second).model().weightsHash(),
                "hash of the weights, stopped at the third look and run again");
    }

    @Test
    final void scoresAreFinite() {
        Rule rule =
                Rule.of(
                        "the scores of the learned model are finite numbers",
                        "look at the step size and at logarithms of 0 in the loss");
        for (double score : scores(learned(first))) {
            rule.holds(Double.isFinite(score), "score of a decision", "a finite number", score);
        }
    }

    @Test
    final void scoresKeepTheDeclaredScale() {
        Rule rule =
                Rule.of(
                        "scores of a learner whose scale is PROBABILITY lie in [0, 1]",
                        "declare LOGIT or UNBOUNDED in scale(), or train the score itself as a"
                                + " probability");
        LearnerBench bench = learned(first);
        assumeFinite(bench);
        if (learner(RunContext.ofSeed(1)).scale() == ScoreScale.PROBABILITY) {
            for (double score : scores(bench)) {
                rule.holds(
                        score >= 0 && score <= 1,
                        "score of a decision",
                        "a number in [0, 1]",
                        score);
            }
        }
    }

    @Test
    final void supervisionAndScaleAreStable() {
        Rule rule =
                Rule.of(
                        "supervision and scale of a learner are the same at every call, before and"
                                + " after learning",
                        "let both depend on the settings only: a run asks for them before it"
                                + " starts");
        RecordingContext context = context(first);
        RewardLearner learner = learner(context);
        Supervision supervision = learner.supervision();
        ScoreScale scale = learner.scale();
        LearnerBench bench = new LearnerBench();
        learner.learn(
                supervision == Supervision.LABELS
                        ? bench.labels(labelled(bench.rollouts()), estimator(), context)
                        : bench.imitation(bench.demonstrations(), bench.rollouts(), context));
        rule.same(supervision, learner.supervision(), "supervision(), after learning");
        rule.same(scale, learner.scale(), "scale(), after learning");
    }

    @Test
    final void labelsDecide() {
        assumeItLearnsBy(Supervision.LABELS);
        Rule rule =
                Rule.of(
                        "a learner whose supervision is LABELS learns something else from other"
                                + " labels",
                        "train on request.labelled(), and on request.targets() where they are"
                                + " present");
        LearnerBench bench = new LearnerBench();
        List<LabelledTrajectory> opposite = labelled(OtherEnds.opposite(bench.rollouts()));
        learn(bench.labels(opposite, estimator(), context(second)));
        rule.holds(
                learned(first).model().weightsHash() != bench.model().weightsHash(),
                "weights, learned from the same turns with opposite outcomes",
                "others",
                "the same");
    }

    @Test
    final void turnsWithoutALabelAreLeftOut() {
        assumeItLearnsBy(Supervision.LABELS);
        Rule rule =
                Rule.of(
                        "a turn without a label is not learned from",
                        "mark only turns whose label is present: an absent one is no 0");
        LearnerBench bench = new LearnerBench();
        List<Trajectory> others =
                bench.rollouts().stream().filter(t -> t.task().id().equals(OTHER_TASK)).toList();
        double[] before = bench.scores(others);
        learn(
                bench.labels(
                        LearnerBench.withoutLabelsOf(OTHER_TASK, labelled(bench.rollouts())),
                        estimator(),
                        context(first)));
        rule.near(before, bench.scores(others), 0, "scores in a task without labels");
    }

    @Test
    final void outcomesAreNotLookedAt() {
        assumeItLearnsBy(Supervision.DEMONSTRATIONS);
        Rule rule =
                Rule.of(
                        "a learner whose supervision is DEMONSTRATIONS looks at no outcome",
                        "tell the sides by whose episodes they are, and nothing else");
        LearnerBench bench = new LearnerBench();
        learn(
                bench.imitation(
                        OtherEnds.opposite(bench.demonstrations()),
                        OtherEnds.opposite(bench.rollouts()),
                        context(second)));
        rule.same(
                learned(first).model().weightsHash(),
                bench.model().weightsHash(),
                "hash of the weights, learned from the same turns with opposite outcomes");
    }

    @Test
    final void abortedEpisodesAreLeftOut() {
        assumeItLearnsBy(Supervision.DEMONSTRATIONS);
        Rule rule =
                Rule.of(
                        "aborted episodes among the others change nothing",
                        "skip trajectories whose end is Aborted: a crash says nothing about an"
                                + " action");
        LearnerBench bench = new LearnerBench();
        learn(
                bench.imitation(
                        withAborted(bench.demonstrations()),
                        withAborted(bench.rollouts()),
                        context(second)));
        rule.same(
                learned(first).model().weightsHash(),
                bench.model().weightsHash(),
                "hash of the weights, with aborted episodes on both sides");
    }

    private static List<Trajectory> withAborted(List<Trajectory> trajectories) {
        List<Trajectory> all = new ArrayList<>(trajectories);
        trajectories.stream()
                .limit(5)
                .forEach(t -> all.add(OtherEnds.of(t, 1000 + t.episode(), OtherEnds.ABORTED)));
        return all;
    }

    @Test
    final void nothingToLearnFromIsAnError() {
        Rule rule =
                Rule.of(
                        "learning is refused where the request lacks what supervision() asks for",
                        "throw an AgentPrmException that says what is missing: a model that stays"
                                + " as it is looks like one that has learned");
        LearnerBench bench = new LearnerBench();
        RunContext context = context(first);
        rule.refused(
                AgentPrmException.class,
                "no labels and no demonstrations",
                () -> learn(bench.labels(List.of(), estimator(), context)));
        if (supervision() == Supervision.LABELS) {
            List<LabelledTrajectory> bare = labelled(bench.rollouts());
            for (String task : List.of("train-0", OTHER_TASK)) {
                bare = LearnerBench.withoutLabelsOf(task, bare);
            }
            LearningRequest request = bench.labels(bare, estimator(), context);
            rule.refused(
                    AgentPrmException.class,
                    "episodes of which no turn is labelled",
                    () -> learn(request));
        } else {
            rule.refused(
                    AgentPrmException.class,
                    "no demonstrations",
                    () -> learn(bench.imitation(List.of(), bench.rollouts(), context)));
        }
    }

    @Test
    final void itClosesWhatItOpensAndNothingElse() {
        Rule rule =
                Rule.of(
                        "a learner closes the snapshots that it takes, leaves the model and the"
                                + " policy open, and does not train the policy",
                        "use try-with-resources for what you open, and neither close nor change"
                                + " what was given to you to learn from");
        LearnerBench bench = learned(first);
        for (WatchedSnapshots.Snapshot snapshot : bench.snapshots()) {
            rule.holds(!WatchedSnapshots.open(snapshot.model()), "a snapshot", "closed", "open");
        }
        rule.holds(WatchedSnapshots.open(bench.model()), "the model", "open", "closed");
        rule.holds(
                WatchedSnapshots.open(bench.policyModel()), "the policy's model", "open", "closed");
        rule.same(
                bench.policyHash(),
                bench.policyModel().weightsHash(),
                "hash of the policy's weights");
    }

    @Test
    final void figuresAreFinite() {
        Rule rule =
                Rule.of(
                        "the report of learning has at least one step, and figures that are"
                                + " numbers",
                        "count steps, and leave out a figure where there is none");
        OptimizationReport report = learn(new LearnerBench(), context(first));
        rule.holds(report.steps() >= 1, "steps()", "1 or more", report.steps());
        report.summary()
                .forEach(
                        (name, value) ->
                                rule.holds(Double.isFinite(value), name, "a finite number", value));
    }

    @Test
    final void barsAreClosedAndNotOverrun() {
        Rule rule =
                Rule.of(
                        "a progress bar is closed, also when a stop ends the learning, and does not"
                                + " go past its end",
                        "open it in a try-with-resources statement, and advance by what is done");
        RecordingContext undisturbed = context(first);
        learn(new LearnerBench(), undisturbed);
        check(rule, undisturbed);
        RecordingContext stopped = context(second).stoppingAtLook(3);
        try {
            learn(new LearnerBench(), stopped);
        } catch (CancelledException e) {
            check(rule, stopped);
        }
    }

    private static void check(Rule rule, RecordingContext context) {
        for (RecordingContext.Bar bar : context.bars()) {
            String where = "bar '" + bar.label() + "'";
            rule.holds(bar.closed(), where, "closed", "open");
            rule.holds(
                    bar.total() == 0 || bar.done() <= bar.total(),
                    where,
                    "at most " + bar.total() + " units",
                    bar.done());
        }
    }

    @Test
    final void aPlanIsWordsOrNothing() {
        Rule rule =
                Rule.of(
                        "a plan is some words on one line, or absent, for any number of"
                                + " trajectories",
                        "leave plan as it is, or describe the work without doing any");
        for (int trajectories : new int[] {0, 1, 1000}) {
            String where = "plan(" + trajectories + ")";
            rule.answered(
                    where,
                    () -> {
                        Optional<String> plan = learner(RunContext.ofSeed(1)).plan(trajectories);
                        rule.holds(
                                plan.isEmpty()
                                        || !plan.get().isBlank() && plan.get().lines().count() == 1,
                                where,
                                "a line of words, or nothing",
                                plan);
                    });
        }
    }
}
