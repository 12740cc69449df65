package io.agentprm.core.pipeline;

import io.agentprm.core.eval.ScoreStatistics;
import io.agentprm.core.report.Calibration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** Scores of turns beside their labels. */
final class PrmScores {
    /** Keeps the cross-entropy of a certain and wrong score finite. */
    private static final double SMALLEST = 1e-12;

    private final List<Row> rows = new ArrayList<>();

    /**
     * A scored turn.
     *
     * @param raw as the model says it
     * @param probability what that means, in [0, 1]
     * @param label what is right, in [0, 1]
     * @param success whether the turn's episode succeeded
     */
    private record Row(double raw, double probability, double label, boolean success) {}

    void add(double raw, double probability, double label, boolean success) {
        rows.add(new Row(raw, probability, label, success));
    }

    int size() {
        return rows.size();
    }

    double[] probabilities() {
        return column(Row::probability);
    }

    /** Of the turns of successes, or of failures. */
    double[] probabilities(boolean success) {
        return rows.stream()
                .filter(row -> row.success() == success)
                .mapToDouble(Row::probability)
                .toArray();
    }

    /** Labels as outcomes in [0, 1]. */
    double[] labels() {
        return column(Row::label);
    }

    private double[] column(ToDoubleFunction<Row> value) {
        return rows.stream().mapToDouble(value).toArray();
    }

    PrmResults.HeldOut figures(Calibration calibration) {
        double loss = 0;
        int correct = 0;
        boolean[] positive = new boolean[rows.size()];
        for (int i = 0; i < positive.length; i++) {
            double p = Math.min(1 - SMALLEST, Math.max(SMALLEST, rows.get(i).probability()));
            double label = rows.get(i).label();
            loss -= label * Math.log(p) + (1 - label) * Math.log1p(-p);
            positive[i] = label > 0.5;
            correct += p > 0.5 == positive[i] ? 1 : 0;
        }
        OptionalDouble auc = ScoreStatistics.auc(column(Row::raw), positive);
        return new PrmResults.HeldOut(
                rows.size(),
                loss / rows.size(),
                correct / (double) rows.size(),
                auc.isPresent() ? Optional.of(auc.getAsDouble()) : Optional.empty(),
                calibration.brier(),
                calibration.expectedError());
    }
}
