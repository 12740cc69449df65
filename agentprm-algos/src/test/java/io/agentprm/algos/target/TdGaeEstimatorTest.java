package io.agentprm.algos.target;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.policy.Wiring;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.run.Metrics;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.target.BootstrappedTargets;
import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.target.TurnLabel;
import io.agentprm.api.trajectory.Trajectory;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TdGaeEstimatorTest {
    private static final double[] VALUES = {0.4, 0.5, 0.3, 0.6};
    private static final EpisodeEnd TRUNCATED = new EpisodeEnd.Truncated("turn budget");
    private static final EpisodeEnd ABORTED = new EpisodeEnd.Aborted("deadline");

    /** The reference values have four decimals. */
    private static final double ROUNDING = 5.01e-5;

    private static TdGaeEstimator estimator(TdGaeConfig config) {
        return new TdGaeEstimator(config, Metrics.none());
    }

    private static TdGaeEstimator estimator() {
        return estimator(TdGaeConfig.defaults());
    }

    private static Trajectory episode(EpisodeEnd end) {
        return Episodes.of(end, "a", "b", "c", "d");
    }

    private static double[] labels(LabelledTrajectory labelled) {
        return labelled.labels().stream()
                .map(Optional::orElseThrow)
                .mapToDouble(TurnLabel::value)
                .toArray();
    }

    @Test
    void currentValuesGiveTheReferenceTargets() {
        assertArrayEquals(
                new double[] {0.9147, 0.9417, 0.9650, 1},
                estimator().targets(episode(Episodes.SUCCESS), VALUES),
                ROUNDING);
        assertArrayEquals(
                new double[] {0.0573, 0.0393, 0.0150, 0},
                estimator().targets(episode(Episodes.FAILURE), VALUES),
                ROUNDING);
        assertArrayEquals(
                new double[] {0.8881, 0.9233, 0.9553, 1},
                estimator(TdGaeConfig.defaults().withGamma(0.99))
                        .targets(episode(Episodes.SUCCESS), VALUES),
                ROUNDING);
    }

    @Test
    void aStepLimitOfTheTaskIsTheOutcomeAndNeverBootstrapped() {
        double[] targets =
                estimator().targets(episode(Episodes.FAILURE), new double[] {1, 1, 1, 1});
        assertEquals(0, targets[3]);
        assertEquals(1 - Math.pow(0.95, 3), targets[0], 1e-12);
    }

    /** The last turn teaches nothing, and those before learn what it is worth. */
    @Test
    void aTruncatedEpisodeIsBootstrappedFromTheValueOfItsLastAction() {
        double[] targets = estimator().targets(episode(TRUNCATED), VALUES);
        assertEquals(0.6, targets[3], 1e-12);
        assertEquals(0.05 * 0.3 + 0.95 * 0.6, targets[2], 1e-12);
        double[] discounted =
                estimator(TdGaeConfig.defaults().withGamma(0.9))
                        .targets(episode(TRUNCATED), VALUES);
        assertEquals(0.9 * 0.6, discounted[3], 1e-12);
    }

    /** What a later chunk's first value says stands for all that follows. */
    @Test
    void anEpisodeThatIsCutHasTheTargetsOfTheWholeWhereTheValuesAgreeWithThem() {
        TdGaeEstimator estimator = estimator();
        double[] whole = estimator.targets(episode(Episodes.SUCCESS), new double[] {0.3, 1, 1, 1});
        double[] first = estimator.targets(Episodes.of(TRUNCATED, "a", "b"), new double[] {0.3, 1});
        assertArrayEquals(new double[] {whole[0], whole[1]}, first, 1e-12);
    }

    @Test
    void withoutAModelEveryTurnIsLabelledWithItsDiscountedOutcome() {
        List<LabelledTrajectory> labelled =
                estimator(TdGaeConfig.defaults().withGamma(0.5))
                        .estimate(List.of(episode(Episodes.SUCCESS), episode(Episodes.FAILURE)));
        assertArrayEquals(new double[] {0.125, 0.25, 0.5, 1}, labels(labelled.get(0)));
        assertArrayEquals(new double[4], labels(labelled.get(1)));
        assertArrayEquals(
                labels(labelled.get(0)),
                estimator(new TdGaeConfig(1, 0.5)).targets(episode(Episodes.SUCCESS), VALUES));
    }

    @Test
    void abortedEpisodesAreNeverLabelledAndTruncatedOnesHaveTheMeanOutcome() {
        List<LabelledTrajectory> labelled =
                estimator()
                        .estimate(
                                List.of(
                                        episode(ABORTED),
                                        episode(TRUNCATED),
                                        episode(Episodes.SUCCESS),
                                        episode(Episodes.FAILURE)));
        assertEquals(3, labelled.size());
        assertArrayEquals(new double[] {0.5, 0.5, 0.5, 0.5}, labels(labelled.get(0)));
        assertThrows(AlgorithmException.class, () -> estimator().targets(episode(ABORTED), VALUES));
    }

    @Test
    void nothingIsLabelledIfNoEpisodeTerminated() {
        assertTrue(estimator().estimate(List.of(episode(TRUNCATED), episode(ABORTED))).isEmpty());
    }

    @Test
    void everyTurnNeedsAProbability() {
        for (double[] wrong :
                new double[][] {{0.1, 0.2, 0.3}, {0, 0, 0, 1.2}, {0, 0, 0, Double.NaN}}) {
            AlgorithmException error =
                    assertThrows(
                            AlgorithmException.class,
                            () -> estimator().targets(episode(Episodes.SUCCESS), wrong));
            assertTrue(error.getMessage().contains("a value in [0, 1] of each of the 4 turns"));
        }
    }

    @Test
    void theProviderDeclaresThatItNeedsCurrentValues() {
        BootstrappedTargets made =
                new TdGaeProvider()
                        .create(TdGaeConfig.defaults(), Wiring.none(), RunContext.ofSeed(1));
        assertEquals(1, made.targets(episode(Episodes.SUCCESS), VALUES)[3]);
    }
}
