package io.agentprm.algos.target;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.policy.Wiring;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.run.Metrics;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.target.TurnLabel;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.testkit.RecordingContext;
import io.agentprm.testkit.ScriptedPolicy;
import io.agentprm.testkit.ScriptedRewardModel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class McEstimatorTest {
    private static final McConfig DEFAULTS = McConfig.defaults();

    private static double[] values(McConfig config, Trajectory... trajectories) {
        return labels(config, trajectories).stream().mapToDouble(TurnLabel::value).toArray();
    }

    /** Labels of all turns of all trajectories, in order. */
    private static List<TurnLabel> labels(McConfig config, Trajectory... trajectories) {
        return McEstimator.of(config, Metrics.none()).estimate(List.of(trajectories)).stream()
                .map(LabelledTrajectory::labels)
                .flatMap(List::stream)
                .map(label -> label.orElseThrow())
                .toList();
    }

    @Test
    void returnToGoGivesTheReferenceTargets() {
        Trajectory success = Episodes.of(Episodes.SUCCESS, "a", "b", "c", "d", "e");
        Trajectory failure = Episodes.of(Episodes.FAILURE, "a", "b", "c", "d", "e");
        assertArrayEquals(
                new double[] {.9073, .9287, .9512, .9750, 1}, values(DEFAULTS, success), 1e-4);
        assertArrayEquals(
                new double[] {.0927, .0713, .0488, .0250, 0}, values(DEFAULTS, failure), 1e-4);
    }

    @Test
    void fromStartGivesTheTargetsOfTheReleasedCode() {
        Trajectory success = Episodes.of(Episodes.SUCCESS, "a", "b", "c", "d", "e");
        assertArrayEquals(
                new double[] {1, .9750, .9512, .9287, .9073},
                values(DEFAULTS.with(McConfig.Discount.FROM_START), success),
                1e-4);
    }

    @Test
    void discountCountsTurnsToTheEnd() {
        McConfig half = DEFAULTS.withGamma(0.5);
        Trajectory success = Episodes.of(Episodes.SUCCESS, "a", "b", "c");
        assertArrayEquals(
                new double[] {0.25, 0.5, 1},
                values(half.with(McConfig.Mapping.UNSIGNED), success),
                1e-12);
        assertArrayEquals(new double[] {0.625, 0.75, 1}, values(half, success), 1e-12);
    }

    @ParameterizedTest
    @EnumSource(McConfig.Mapping.class)
    void targetsNeverDecreaseAlongASuccess(McConfig.Mapping mapping) {
        for (double gamma : new double[] {0, 0.3, 0.95, 1}) {
            double[] values =
                    values(
                            DEFAULTS.withGamma(gamma).with(mapping),
                            Episodes.of(Episodes.SUCCESS, "a", "b", "c", "d"));
            for (int t = 1; t < values.length; t++) {
                assertTrue(values[t] >= values[t - 1]);
            }
            assertEquals(1, values[values.length - 1]);
        }
    }

    @Test
    void candidatesInAnotherOrderAreTheSameState() {
        List<LabelledTrajectory> labelled =
                McEstimator.of(DEFAULTS, Metrics.none())
                        .estimate(
                                List.of(
                                        Episodes.of(
                                                "p",
                                                List.of("x", "y"),
                                                "first reason",
                                                Episodes.SUCCESS,
                                                "x"),
                                        Episodes.of(
                                                "p",
                                                List.of("y", "x"),
                                                "second reason",
                                                Episodes.FAILURE,
                                                "x")));
        assertEquals(2, labelled.size());
        for (LabelledTrajectory one : labelled) {
            assertEquals(new TurnLabel(0.5, 2), one.labels().get(0).orElseThrow());
        }
        assertEquals(
                "second reason",
                labelled.get(1).trajectory().turns().get(0).decision().reason().orElseThrow());
    }

    @Test
    void reasonsSeparateVisitsOnlyIfAskedTo() {
        Trajectory one = Episodes.of("p", List.of("x"), "because", Episodes.SUCCESS, "x");
        Trajectory two = Episodes.of("p", List.of("x"), "why not", Episodes.FAILURE, "x");
        assertArrayEquals(
                new double[] {1, 0}, values(DEFAULTS.withReasonInKey(true), one, two), 1e-12);
    }

    @Test
    void groupingDecidesWhichVisitsAreTheSameTurn() {
        Trajectory one = Episodes.of(Episodes.SUCCESS, "a", "z");
        Trajectory two = Episodes.of(Episodes.FAILURE, "b", "z");
        McConfig plain = DEFAULTS.withGamma(1);
        assertArrayEquals(new double[] {1, 1, 0, 0}, values(plain, one, two), 1e-12);
        assertArrayEquals(
                new double[] {1, 0.5, 0, 0.5},
                values(plain.with(McConfig.Grouping.LAST_OBSERVATION), one, two),
                1e-12);
        Trajectory again = Episodes.of(Episodes.FAILURE, "a", "z");
        assertArrayEquals(new double[] {0.5, 0.5, 0.5, 0.5}, values(plain, one, again), 1e-12);
        assertArrayEquals(
                new double[] {1, 1, 0, 0},
                values(plain.with(McConfig.Grouping.NONE), one, again),
                1e-12);
    }

    @Test
    void visitsOfDifferentPoliciesAreNotPooledUnlessAsked() {
        Trajectory one = Episodes.of("pi-0", List.of("x"), "", Episodes.SUCCESS, "x");
        Trajectory two = Episodes.of("pi-1", List.of("x"), "", Episodes.FAILURE, "x");
        assertArrayEquals(new double[] {1, 0}, values(DEFAULTS, one, two), 1e-12);
        assertArrayEquals(
                new double[] {0.5, 0.5}, values(DEFAULTS.withPoolPolicies(true), one, two), 1e-12);
    }

    @Test
    void abortedEpisodesAreNeverLabelledAndTruncatedOnesAreCounted() {
        RecordingContext context = RecordingContext.of(1, Path.of("."));
        List<LabelledTrajectory> labelled =
                McEstimator.of(DEFAULTS, context.metrics())
                        .estimate(
                                List.of(
                                        Episodes.of(new EpisodeEnd.Aborted("deadline"), "a"),
                                        Episodes.of(new EpisodeEnd.Truncated("budget"), "a"),
                                        Episodes.of(Episodes.SUCCESS, "a")));
        assertEquals(1, labelled.size());
        assertEquals(1, labelled.get(0).labels().get(0).orElseThrow().visits());
        assertEquals(1, context.last("mc.aborted"));
        assertEquals(1, context.last("mc.truncated"));
    }

    @Test
    void truncatedEpisodesMayBeBootstrappedFromTheirFinalState() {
        McConfig config =
                DEFAULTS.withGamma(0.5)
                        .with(McConfig.Mapping.UNSIGNED)
                        .with(McConfig.Truncated.BOOTSTRAP);
        Trajectory cut = Episodes.of(new EpisodeEnd.Truncated("budget"), "a", "b");
        double[] unsigned =
                McEstimator.bootstrapping(config, t -> 0.8, Metrics.none())
                        .estimate(List.of(cut))
                        .get(0)
                        .labels()
                        .stream()
                        .mapToDouble(label -> label.orElseThrow().value())
                        .toArray();
        assertArrayEquals(new double[] {0.2, 0.4}, unsigned, 1e-12);
        assertThrows(AlgorithmException.class, () -> McEstimator.of(config, Metrics.none()));
    }

    @Test
    void aStepLimitIsATerminationAndLabelsZero() {
        assertArrayEquals(
                new double[] {0},
                values(
                        DEFAULTS.with(McConfig.Mapping.UNSIGNED),
                        Episodes.of(Episodes.FAILURE, "a")));
    }

    @Test
    void denseRewardsSumUpAndMustStayWithinRange() {
        McConfig dense =
                DEFAULTS.withGamma(0.5).with(McConfig.Mapping.UNSIGNED).with(McConfig.Reward.DENSE);
        assertArrayEquals(
                new double[] {0.5, 0.4, 0.8},
                values(dense, Episodes.ofRewards(0.3, 0, 0.8)),
                1e-12);
        AlgorithmException error =
                assertThrows(
                        AlgorithmException.class,
                        () -> values(dense, Episodes.ofRewards(0.9, 0.9)));
        assertTrue(error.getMessage().contains("turn 0 of t#0"), error::getMessage);
    }

    @Test
    void aTurnIsOneStepWhateverItsNumberOfTokens() {
        assertArrayEquals(
                values(DEFAULTS, Episodes.of(Episodes.SUCCESS, "a", "b", "c")),
                values(
                        DEFAULTS,
                        Episodes.of(
                                Episodes.SUCCESS,
                                "a long reply of many tokens",
                                "b",
                                "another long one")));
    }

    @Test
    void theProviderValuesFinalStatesByPolicyAndRewardModel() {
        McConfig config =
                DEFAULTS.withGamma(1)
                        .with(McConfig.Mapping.UNSIGNED)
                        .with(McConfig.Truncated.BOOTSTRAP);
        Policy policy = ScriptedPolicy.sequence("x", "x", "last");
        Trajectory cut = Episodes.of(new EpisodeEnd.Truncated("budget"), "a", "b");
        ScriptedRewardModel reward =
                ScriptedRewardModel.of(
                        ScoreScale.PROBABILITY,
                        (state, decision) ->
                                state.observation().text().equals("end")
                                                && decision.action().text().equals("last")
                                        ? 0.25
                                        : Double.NaN);
        LabelledTrajectory labelled =
                new McProvider()
                        .create(config, Wiring.of(policy, reward), RunContext.ofSeed(1))
                        .estimate(List.of(cut))
                        .get(0);
        assertEquals(0.25, labelled.labels().get(0).orElseThrow().value());
        assertThrows(
                AlgorithmException.class,
                () ->
                        new McProvider()
                                .create(
                                        config,
                                        Wiring.of(policy, ScriptedRewardModel.notANumber()),
                                        RunContext.ofSeed(1))
                                .estimate(List.of(cut)));
    }

    @Test
    void groupsDoNotDependOnTheOrderOfTrajectories() {
        Trajectory one = Episodes.of(Episodes.SUCCESS, "a", "b");
        Trajectory two = Episodes.of(Episodes.FAILURE, "a", "c");
        Trajectory three = Episodes.of(Episodes.FAILURE, "a");
        double first = values(DEFAULTS, one, two, three)[0];
        assertEquals(first, values(DEFAULTS, three, two, one)[0], 1e-15);
        assertEquals(3, labels(DEFAULTS, three, two, one).get(0).visits());
    }
}
