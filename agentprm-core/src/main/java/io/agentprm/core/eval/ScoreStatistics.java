package io.agentprm.core.eval;

import io.agentprm.core.report.Calibration;
import io.agentprm.core.report.Estimate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/** How good scores are as predictions. */
public final class ScoreStatistics {
    private ScoreStatistics() {}

    /**
     * Area under the ROC curve: the probability that a random positive scores higher than a random
     * negative, equal scores counting half (Mann-Whitney).
     *
     * @param scores finite; only their order counts
     * @param positive same length
     * @return empty unless there are positives and negatives
     */
    public static OptionalDouble auc(double[] scores, boolean[] positive) {
        checkLengths(scores.length, positive.length);
        Integer[] order = new Integer[scores.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        Arrays.sort(order, Comparator.comparingDouble(i -> scores[i]));
        long positives = 0;
        double rankSum = 0;
        int from = 0;
        while (from < order.length) {
            int to = from;
            while (to < order.length && scores[order[to]] == scores[order[from]]) {
                to++;
            }
            // Ties share the mean of the ranks from + 1 to "to".
            double rank = (from + 1 + to) / 2.0;
            for (int i = from; i < to; i++) {
                if (positive[order[i]]) {
                    positives++;
                    rankSum += rank;
                }
            }
            // A NaN equals nothing, itself included.
            if (to == from) {
                throw new IllegalArgumentException("scores must be finite");
            }
            from = to;
        }
        long negatives = scores.length - positives;
        if (positives == 0 || negatives == 0) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(
                (rankSum - positives * (positives + 1) / 2.0) / ((double) positives * negatives));
    }

    /**
     * Reliability of predicted probabilities in bins of equal width over [0, 1].
     *
     * @param predicted in [0, 1]
     * @param outcome in [0, 1], same length
     */
    public static Calibration calibration(
            String title, double[] predicted, double[] outcome, int bins) {
        checkLengths(predicted.length, outcome.length);
        double[] predictions = new double[bins];
        double[] outcomes = new double[bins];
        double[] squares = new double[bins];
        long[] counts = new long[bins];
        double brier = 0;
        for (int i = 0; i < predicted.length; i++) {
            if (!(predicted[i] >= 0 && predicted[i] <= 1)) {
                throw new IllegalArgumentException(
                        "a probability lies in [0, 1], not " + predicted[i]);
            }
            int bin = Math.min(bins - 1, (int) (predicted[i] * bins));
            predictions[bin] += predicted[i];
            outcomes[bin] += outcome[i];
            squares[bin] += outcome[i] * outcome[i];
            counts[bin]++;
            brier += (predicted[i] - outcome[i]) * (predicted[i] - outcome[i]);
        }
        List<Calibration.Bin> filled = new ArrayList<>();
        double expectedError = 0;
        for (int bin = 0; bin < bins; bin++) {
            long n = counts[bin];
            if (n > 0) {
                double prediction = predictions[bin] / n;
                double mean = outcomes[bin] / n;
                double variance = Math.max(0, squares[bin] / n - mean * mean);
                double half = 1.959963984540054 * Math.sqrt(variance / n);
                filled.add(
                        new Calibration.Bin(
                                prediction,
                                new Estimate(
                                        mean, Math.max(0, mean - half), Math.min(1, mean + half)),
                                n));
                expectedError += Math.abs(prediction - mean) * n;
            }
        }
        int total = Math.max(1, predicted.length);
        return new Calibration(title, filled, brier / total, expectedError / total);
    }

    private static void checkLengths(int first, int second) {
        if (first != second) {
            throw new IllegalArgumentException(first + " predictions but " + second + " outcomes");
        }
    }
}
