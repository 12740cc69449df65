package io.agentprm.algos.target;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.agentprm.api.run.RandomSource;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class GeneralizedAdvantageTest {
    private static final double[] SCORES = {0.4, 0.5, 0.3, 0.6};

    /** The reference values have four decimals. */
    private static final double ROUNDING = 5.01e-5;

    @Test
    void scoresGiveTheReferenceLabels() {
        GeneralizedAdvantage success = GeneralizedAdvantage.ofScores(SCORES, 0.4, 1, 1, 0.95);
        assertArrayEquals(
                new double[] {0.5147, 0.5417, 0.4650, 0.7000}, success.advantages(), ROUNDING);
        assertArrayEquals(new double[] {0.9147, 0.9417, 0.9650, 1}, success.targets(), ROUNDING);
        GeneralizedAdvantage failure = GeneralizedAdvantage.ofScores(SCORES, 0.4, 0, 1, 0.95);
        assertArrayEquals(
                new double[] {-0.3427, -0.3608, -0.4850, -0.3000}, failure.advantages(), ROUNDING);
        assertArrayEquals(new double[] {0.0573, 0.0393, 0.0150, 0}, failure.targets(), ROUNDING);
        GeneralizedAdvantage discounted = GeneralizedAdvantage.ofScores(SCORES, 0.4, 1, 0.99, 0.95);
        assertArrayEquals(
                new double[] {0.4881, 0.5233, 0.4553, 0.7000}, discounted.advantages(), ROUNDING);
        assertArrayEquals(new double[] {0.8881, 0.9233, 0.9553, 1}, discounted.targets(), ROUNDING);
    }

    @Test
    void lambdaOneLabelsEveryTurnWithTheOutcome() {
        double[] targets = GeneralizedAdvantage.ofScores(SCORES, 0.1, 1, 1, 1).targets();
        assertArrayEquals(new double[] {1, 1, 1, 1}, targets, 1e-12);
    }

    @Test
    void lambdaZeroLabelsEveryTurnButTheLastWithItsOwnScore() {
        double[] targets = GeneralizedAdvantage.ofScores(SCORES, 0.1, 1, 1, 0).targets();
        assertArrayEquals(new double[] {0.4, 0.5, 0.3, 1}, targets, 1e-12);
    }

    @Test
    void truncationBootstrapsFromTheFinalObservationAndTerminationDoesNot() {
        double[] rewards = {0, 0};
        double[] values = {0.5, 0.6};
        assertArrayEquals(
                new double[] {0.06565, 0.03},
                GeneralizedAdvantage.ofValues(rewards, values, 0.7, 0.9, 0.95).advantages(),
                1e-12);
        assertArrayEquals(
                new double[] {-0.473, -0.6},
                GeneralizedAdvantage.ofValues(rewards, values, 0, 0.9, 0.95).advantages(),
                1e-12);
    }

    @Test
    void closedFormWithoutDiscountHolds() {
        RandomGenerator random = RandomSource.of(1).generator();
        for (int trial = 0; trial < 100; trial++) {
            int length = 1 + random.nextInt(8);
            double[] scores = random.doubles(length).toArray();
            double lambda = random.nextDouble();
            double[] targets =
                    GeneralizedAdvantage.ofScores(scores, random.nextDouble(), 0.7, 1, lambda)
                            .targets();
            for (int t = 0; t < length; t++) {
                double expected = Math.pow(lambda, length - 1 - t) * 0.7;
                for (int k = t; k < length - 1; k++) {
                    expected += (1 - lambda) * Math.pow(lambda, k - t) * scores[k];
                }
                assertEquals(expected, targets[t], 1e-12);
            }
        }
    }

    @Test
    void anEpisodeInTwoChunksHasTheReturnsOfTheWhole() {
        double[] whole = Returns.toGo(new double[] {0.1, 0, 0.2, 1}, 0.9, 0);
        double[] second = Returns.toGo(new double[] {0.2, 1}, 0.9, 0);
        double[] first = Returns.toGo(new double[] {0.1, 0}, 0.9, second[0]);
        assertArrayEquals(whole, new double[] {first[0], first[1], second[0], second[1]}, 1e-15);
    }
}
