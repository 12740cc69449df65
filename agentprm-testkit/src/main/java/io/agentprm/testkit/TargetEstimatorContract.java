package io.agentprm.testkit;

import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.Observation;
import io.agentprm.api.rollout.RolloutPlan;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.target.TargetEstimator;
import io.agentprm.api.target.TurnLabel;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.Trajectory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every {@link TargetEstimator} promises. Extend it in a test of your own:
 *
 * <pre>{@code
 * class MyTargetsTest extends TargetEstimatorContract {
 *     @Override
 *     protected TargetEstimator openEstimator() {
 *         return new MyTargets(0.95);
 *     }
 * }
 * }</pre>
 *
 * <p>The episodes are those of a small house, played at random: some reach the goal, some fail,
 * some run into the step limit; the same with their ends replaced are truncated or aborted.
 */
public abstract class TargetEstimatorContract {
    private static final double SUMMATION_ERROR = 1e-9;

    private TargetEstimator estimator;
    private List<Trajectory> terminated = List.of();

    /** A fresh estimator, the same at every call. */
    protected abstract TargetEstimator openEstimator();

    /** Whether truncated episodes get labels from the value of their final state. */
    protected boolean bootstraps() {
        return false;
    }

    /** Smallest value of a label. */
    protected double lowest() {
        return 0;
    }

    /** Largest value of a label. */
    protected double highest() {
        return 1;
    }

    @BeforeEach
    final void openFreshEstimator() {
        estimator = openEstimator();
        ToyEnvironment house = ToyEnvironment.of(ToyMdp.house());
        RolloutPlan plan = RolloutPlan.of(house.tasks("train"), 12, RandomSource.of(29));
        terminated = SimpleRollouts.of(house).collect(ScriptedPolicy.random(), plan);
    }

    private List<Trajectory> ending(EpisodeEnd end) {
        List<Trajectory> result = new ArrayList<>();
        for (Trajectory trajectory : terminated) {
            result.add(OtherEnds.of(trajectory, 1000 + trajectory.episode(), end));
        }
        return result;
    }

    /** Labels by episode; a turn without one has NaN. */
    private Map<EpisodeId, double[]> values(List<Trajectory> trajectories) {
        Map<EpisodeId, double[]> values = new LinkedHashMap<>();
        for (LabelledTrajectory labelled : estimator.estimate(trajectories)) {
            values.put(
                    labelled.trajectory().id(),
                    labelled.labels().stream()
                            .mapToDouble(l -> l.map(TurnLabel::value).orElse(Double.NaN))
                            .toArray());
        }
        return values;
    }

    private static void near(
            Rule rule,
            Map<EpisodeId, double[]> expected,
            Map<EpisodeId, double[]> seen,
            String where) {
        expected.forEach(
                (id, values) ->
                        rule.near(
                                values,
                                seen.getOrDefault(id, new double[0]),
                                SUMMATION_ERROR,
                                where + ", labels of " + id));
    }

    @Test
    final void everyTurnOfATerminatedEpisodeIsLabelled() {
        Rule rule =
                Rule.of(
                        "an episode that terminated, by its step limit too, gets one label for"
                                + " each of its turns, in the order given",
                        "label every turn: a step limit is a failure of the task, not a cut from"
                                + " outside");
        List<LabelledTrajectory> labelled = estimator.estimate(terminated);
        rule.same(
                terminated.stream().map(Trajectory::id).toList(),
                labelled.stream().map(l -> l.trajectory().id()).toList(),
                "episodes labelled");
        for (LabelledTrajectory one : labelled) {
            rule.holds(
                    one.labels().stream().allMatch(Optional::isPresent),
                    one.trajectory().id().toString(),
                    one.trajectory().length() + " labels",
                    one.labels());
        }
    }

    @Test
    final void anAbortedEpisodeIsNeverLabelled() {
        Rule rule =
                Rule.of(
                        "an aborted episode is left out",
                        "skip trajectories whose end is Aborted: a crash says nothing about an"
                                + " action");
        rule.same(
                List.of(), estimator.estimate(ending(OtherEnds.ABORTED)), "aborted episodes only");
    }

    @Test
    final void anAbortedEpisodeChangesNoOtherLabel() {
        Rule rule =
                Rule.of(
                        "aborted episodes among the others change no label",
                        "leave them out of every mean, count and baseline");
        Map<EpisodeId, double[]> expected = values(terminated);
        List<Trajectory> mixed = new ArrayList<>(ending(OtherEnds.ABORTED));
        mixed.addAll(terminated);
        near(rule, expected, values(mixed), "with aborted ones among them");
    }

    @Test
    final void aTruncatedEpisodeIsNoFailure() {
        Rule rule =
                Rule.of(
                        bootstraps()
                                ? "a truncated episode is labelled from the value of its final"
                                        + " state"
                                : "a truncated episode is left out, for it has no outcome",
                        "treat a cut from outside neither as a failure nor as an end of the task;"
                                + " override bootstraps() to say which");
        List<Trajectory> truncated = ending(OtherEnds.TRUNCATED);
        Map<EpisodeId, double[]> labels = values(truncated);
        if (!bootstraps()) {
            rule.same(0, labels.size(), "number of truncated episodes labelled");
            return;
        }
        rule.same(truncated.size(), labels.size(), "number of truncated episodes labelled");
        EpisodeEnd failure = new EpisodeEnd.Terminated(EpisodeEnd.Reason.FAILURE, 0, false);
        for (Trajectory trajectory : ending(failure)) {
            double asFailure = values(List.of(trajectory)).get(trajectory.id())[0];
            Trajectory cut = OtherEnds.of(trajectory, trajectory.episode(), OtherEnds.TRUNCATED);
            double asCut = values(List.of(cut)).get(cut.id())[0];
            rule.holds(
                    Math.abs(asFailure - asCut) > SUMMATION_ERROR,
                    trajectory.id() + ", turn 0, truncated",
                    "another value than that of a failure",
                    asCut);
        }
    }

    @Test
    final void labelsAreInRangeWithTheirVisits() {
        Rule rule =
                Rule.of(
                        "a label is a finite value in the estimator's range, from at least one"
                                + " visit",
                        "scale the values, or override lowest() and highest()");
        for (LabelledTrajectory labelled : estimator.estimate(terminated)) {
            for (Optional<TurnLabel> label : labelled.labels()) {
                label.ifPresent(
                        l -> {
                            String where = labelled.trajectory().id().toString();
                            rule.holds(
                                    l.value() >= lowest() && l.value() <= highest(),
                                    where,
                                    "a value in [" + lowest() + ", " + highest() + "]",
                                    l.value());
                            rule.holds(l.visits() >= 1, where, "1 visit or more", l.visits());
                        });
            }
        }
    }

    @Test
    final void theOrderOfEpisodesChangesNoLabel() {
        Rule rule =
                Rule.of(
                        "the labels of an episode do not depend on the order of episodes",
                        "collect what is averaged over all episodes first, then label");
        Map<EpisodeId, double[]> expected = values(terminated);
        List<Trajectory> turned = new ArrayList<>(terminated);
        Collections.reverse(turned);
        near(rule, expected, values(turned), "in reverse order");
    }

    @Test
    final void sameEpisodesSameLabels() {
        Rule rule =
                Rule.of(
                        "the same episodes get the same labels, from this estimator and from"
                                + " another one",
                        "keep nothing from call to call, and key every draw by episode and turn");
        Map<EpisodeId, double[]> expected = values(terminated);
        near(rule, expected, values(terminated), "asked again");
        estimator = openEstimator();
        near(rule, expected, values(terminated), "another estimator");
    }

    @Test
    final void nothingIsLabelledByNothing() {
        Rule rule =
                Rule.of(
                        "no episodes, or one without turns, are answered without an exception",
                        "return an empty list where there is nothing to label");
        rule.answered(
                "estimate(List.of())",
                () -> rule.same(List.of(), estimator.estimate(List.of()), "estimate(List.of())"));
        Trajectory empty =
                Trajectory.builder(terminated.get(0).task(), "do it")
                        .end(Observation.text("over"), OtherEnds.ABORTED);
        rule.answered("an episode aborted before its first turn", () -> values(List.of(empty)));
    }

    @Test
    final void theLastTurnOfASuccessIsWorthMoreThanThatOfAFailure() {
        Rule rule =
                Rule.of(
                        "the turn that reaches the goal is worth more than one that fails",
                        "count the outcome with its sign, and discount by turns to the end");
        Trajectory success = first(true);
        Trajectory failure = first(false);
        double good = last(values(List.of(success, failure)).get(success.id()));
        double bad = last(values(List.of(success, failure)).get(failure.id()));
        rule.holds(good > bad, success.id() + " and " + failure.id(), "more than " + bad, good);
    }

    private Trajectory first(boolean success) {
        return terminated.stream()
                .filter(t -> t.success() == success && t.outcome().orElse(1) == (success ? 1 : 0))
                .findFirst()
                .orElseThrow();
    }

    private static double last(double[] values) {
        return values[values.length - 1];
    }
}
