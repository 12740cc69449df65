package io.agentprm.engine.djl;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The losses of the expected numbers, written out here so that the check rests on nothing else. */
enum CheckedLoss implements LossFunction {
    /** Mean negative log-likelihood over all supervised tokens of the batch. */
    NEGATIVE_LOG_LIKELIHOOD(Channel.logProb(1)) {
        @Override
        public double normalizer(List<TrainingRow> batch) {
            return batch.stream().mapToInt(r -> r.tree().segment(0).supervisedCount()).sum();
        }

        @Override
        double add(List<TrainingRow> rows, ModelOutputs outputs, ModelOutputs gradient, double n) {
            double loss = 0;
            for (int r = 0; r < rows.size(); r++) {
                double[] slope = gradient.at(channel(), r, 0);
                for (double logProb : outputs.at(channel(), r, 0)) {
                    loss -= logProb / n;
                }
                Arrays.fill(slope, -1 / n);
            }
            return loss;
        }
    },

    /**
     * Direct preference optimisation (Rafailov et al. 2023, equation 7): rows are chosen and
     * rejected in turn; label 0 of a row is its log-probability under the reference, 1 is beta.
     */
    PREFERENCE(Channel.logProb(1)) {
        @Override
        public double normalizer(List<TrainingRow> batch) {
            return batch.size() / 2.0;
        }

        @Override
        double add(List<TrainingRow> rows, ModelOutputs outputs, ModelOutputs gradient, double n) {
            double loss = 0;
            for (int r = 0; r < rows.size(); r += 2) {
                double beta = label(rows, r, 1);
                double margin =
                        sum(outputs.at(channel(), r, 0))
                                - label(rows, r, 0)
                                - sum(outputs.at(channel(), r + 1, 0))
                                + label(rows, r + 1, 0);
                loss += Math.log1p(Math.exp(-beta * margin)) / n;
                double slope = -beta / (1 + Math.exp(beta * margin)) / n;
                Arrays.fill(gradient.at(channel(), r, 0), slope);
                Arrays.fill(gradient.at(channel(), r + 1, 0), -slope);
            }
            return loss;
        }
    },

    /** Mean binary cross-entropy of scores as logits with soft labels. */
    BINARY_CROSS_ENTROPY(Channel.SCORE) {
        @Override
        public double normalizer(List<TrainingRow> batch) {
            return batch.size();
        }

        @Override
        double add(List<TrainingRow> rows, ModelOutputs outputs, ModelOutputs gradient, double n) {
            double loss = 0;
            for (int r = 0; r < rows.size(); r++) {
                double z = outputs.at(channel(), r, 0)[0];
                double y = label(rows, r, 0);
                loss += (Math.max(z, 0) - z * y + Math.log1p(Math.exp(-Math.abs(z)))) / n;
                gradient.at(channel(), r, 0)[0] = (1 / (1 + Math.exp(-z)) - y) / n;
            }
            return loss;
        }
    };

    private final Channel channel;

    CheckedLoss(Channel channel) {
        this.channel = channel;
    }

    Channel channel() {
        return channel;
    }

    abstract double add(
            List<TrainingRow> rows, ModelOutputs outputs, ModelOutputs gradient, double n);

    private static double label(List<TrainingRow> rows, int row, int index) {
        return rows.get(row).values(TrainingRow.LABEL, 0)[index];
    }

    private static double sum(double[] values) {
        return Arrays.stream(values).sum();
    }

    @Override
    public Set<Channel> channels() {
        return Set.of(channel);
    }

    @Override
    public Value evaluate(List<TrainingRow> rows, ModelOutputs outputs, double normalizer) {
        List<TokenTree> trees = rows.stream().map(TrainingRow::tree).toList();
        ModelOutputs gradient = ModelOutputs.zeros(trees, channels());
        return new Value(add(rows, outputs, gradient, normalizer), gradient, Map.of());
    }
}
