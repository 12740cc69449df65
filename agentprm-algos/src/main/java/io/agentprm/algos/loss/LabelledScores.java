package io.agentprm.algos.loss;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TrainingRow;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A loss of each mark's score against its label, weighted and divided by the sum of the weights of
 * the batch. A mark is ignored by its weight 0, never by a special label.
 */
abstract class LabelledScores implements LossFunction {
    @Override
    public final Set<Channel> channels() {
        return Set.of(Channel.SCORE);
    }

    @Override
    public final double normalizer(List<TrainingRow> batch) {
        double total = 0;
        for (TrainingRow row : batch) {
            for (int s = 0; s < row.tree().segments().size(); s++) {
                total += Arrays.stream(weights(row, s)).sum();
            }
        }
        if (!(total > 0)) {
            throw new AlgorithmException(
                    "none of the batch's "
                            + batch.size()
                            + " rows has a label with positive weight: there is nothing to learn"
                            + " from");
        }
        return total;
    }

    @Override
    public final Value evaluate(List<TrainingRow> rows, ModelOutputs outputs, double normalizer) {
        LossSum sum = LossSum.of(rows, channels(), normalizer);
        for (int r = 0; r < rows.size(); r++) {
            for (int s = 0; s < rows.get(r).tree().segments().size(); s++) {
                double[] scores = outputs.at(Channel.SCORE, r, s);
                double[] weights = weights(rows.get(r), s);
                for (int i = 0; i < scores.length; i++) {
                    if (weights[i] > 0) {
                        double label = rows.get(r).values(TrainingRow.LABEL, s)[i];
                        checkLabel(label);
                        sum.add(weights[i] * loss(scores[i], label));
                        sum.addSlope(Channel.SCORE, r, s, i, weights[i] * slope(scores[i], label));
                        addMetrics(sum, scores[i], label, weights[i]);
                    }
                }
            }
        }
        return sum.value();
    }

    /** Weight of each mark of a segment; where no weights are given, 1 for each label. */
    static double[] weights(TrainingRow row, int s) {
        TokenSegment segment = row.tree().segment(s);
        if (row.has(TrainingRow.WEIGHT, s)) {
            double[] weights = row.values(TrainingRow.WEIGHT, s);
            if (weights.length != segment.markCount()
                    || !Arrays.stream(weights).allMatch(w -> w >= 0 && w < Double.MAX_VALUE)) {
                throw new AlgorithmException(
                        "weights must be 0 or more, one for each of "
                                + segment.markCount()
                                + " marks, were "
                                + Arrays.toString(weights));
            }
            return weights;
        }
        double[] ones = new double[segment.markCount()];
        Arrays.fill(ones, row.has(TrainingRow.LABEL, s) ? 1 : 0);
        return ones;
    }

    abstract void checkLabel(double label);

    abstract double loss(double score, double label);

    abstract double slope(double score, double label);

    void addMetrics(LossSum sum, double score, double label, double weight) {}
}
