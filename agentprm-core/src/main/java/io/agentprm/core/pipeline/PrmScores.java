package io.agentprm.core.pipeline;

import io.agentprm.core.eval.ScoreStatistics;
import io.agentprm.core.report.Calibration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Scores of turns beside their labels. */
final class PrmScores {
    /** Keeps the cross-entropy of a certain and wrong score finite. */
    private static final double SMALLEST = 1e-12;

    private final List<double[]> rows = new ArrayList<>();

    void add(double raw, double probability, double label) {
        rows.add(new double[] {raw, probability, label});
    }

    int size() {
        return rows.size();
    }

    double[] probabilities() {
        return column(1);
    }

    /** Labels as outcomes in [0, 1]. */
    double[] labels() {
        return column(2);
    }

    private double[] column(int index) {
        return rows.stream().mapToDouble(row -> row[index]).toArray();
    }

    PrmResults.HeldOut figures(Calibration calibration) {
        double loss = 0;
        int correct = 0;
        boolean[] positive = new boolean[rows.size()];
        for (int i = 0; i < positive.length; i++) {
            double p = Math.min(1 - SMALLEST, Math.max(SMALLEST, rows.get(i)[1]));
            double label = rows.get(i)[2];
            loss -= label * Math.log(p) + (1 - label) * Math.log1p(-p);
            positive[i] = label > 0.5;
            correct += p > 0.5 == positive[i] ? 1 : 0;
        }
        OptionalDouble auc = ScoreStatistics.auc(column(0), positive);
        return new PrmResults.HeldOut(
                rows.size(),
                loss / rows.size(),
                correct / (double) rows.size(),
                auc.isPresent() ? Optional.of(auc.getAsDouble()) : Optional.empty(),
                calibration.brier(),
                calibration.expectedError());
    }
}
