package io.agentprm.algos.loss;

import io.agentprm.algos.Logistic;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TrainingRow;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Regression of values and of their differences from turn to turn (Xi et al., arXiv 2511.08325):
 * {@code L_Q + beta L_A} with {@code L_Q} the mean over turns of {@code (M_t - Y_t)^2 / 2} and
 * {@code L_A} that of {@code ((M_t - M_(t-1)) - (Y_t - Y_(t-1)))^2 / 2}, the promise and the
 * progress of the paper. The value {@code M_t} is the probability {@code sigmoid(score)}, {@code
 * Y_t} the label in [0, 1]. The paper regresses a linear output; the logistic function keeps values
 * and bootstrapped labels in [0, 1] and the score what it is with every other loss, log-odds.
 *
 * <p>The differences of a trajectory of T turns count T / (T - 1) each, so that they weigh as much
 * as its values; the first turn has none. The marks of a trunk are the turns of a trajectory, and
 * rows of one group are one trajectory in order. {@link TrainingRow#WEIGHT} weighs values and
 * differences, 0 takes a turn out of both. Metrics: those of {@link BrierLoss}, and {@code promise}
 * and {@code progress}, the two means.
 *
 * <p>Labels that hardly differ along an episode, as those of outcomes or of td-gae with lambda near
 * 1, make the second term pull every value towards the one before: it keeps the order of actions
 * and shrinks their distance. Where values are to be probabilities, beta should be 0.
 */
public final class PromiseProgressLoss implements LossFunction {
    private final BrierLoss promise = new BrierLoss();
    private final double beta;

    /**
     * Makes the loss.
     *
     * @param beta weight of the differences, 0 or more
     */
    public PromiseProgressLoss(double beta) {
        if (!(beta >= 0 && beta < Double.MAX_VALUE)) {
            throw new IllegalArgumentException("beta must be 0 or more, was " + beta);
        }
        this.beta = beta;
    }

    @Override
    public Set<Channel> channels() {
        return promise.channels();
    }

    @Override
    public double normalizer(List<TrainingRow> batch) {
        return promise.normalizer(batch);
    }

    @Override
    public Value evaluate(List<TrainingRow> rows, ModelOutputs outputs, double normalizer) {
        Value values = promise.evaluate(rows, outputs, normalizer);
        double progress = 0;
        for (List<Mark> turns : Mark.trajectories(rows)) {
            progress +=
                    new Differences(rows, outputs, turns)
                            .addTo(values.gradient(), beta / normalizer);
        }
        progress /= normalizer;
        Map<String, Double> metrics = new TreeMap<>(values.metrics());
        metrics.put("promise", values.loss());
        metrics.put("progress", progress);
        return new Value(values.loss() + beta * progress, values.gradient(), metrics);
    }

    /** The values and labels of one trajectory. */
    private static final class Differences {
        private final List<Mark> turns;
        private final double[] values;
        private final double[] labels;
        private final double[] weights;

        Differences(List<TrainingRow> rows, ModelOutputs outputs, List<Mark> turns) {
            this.turns = turns;
            values = new double[turns.size()];
            labels = new double[turns.size()];
            weights = new double[turns.size()];
            for (int t = 0; t < values.length; t++) {
                Mark turn = turns.get(t);
                TrainingRow row = rows.get(turn.row());
                weights[t] = LabelledScores.weights(row, 0)[turn.index()];
                if (weights[t] > 0) {
                    labels[t] = row.values(TrainingRow.LABEL, 0)[turn.index()];
                    values[t] =
                            Logistic.sigmoid(
                                    outputs.at(Channel.SCORE, turn.row(), 0)[turn.index()]);
                }
            }
        }

        /** Adds the gradient and returns the sum of the weighted terms. */
        double addTo(ModelOutputs gradient, double factor) {
            double ofValues = 0;
            double ofDifferences = 0;
            for (int t = 0; t < values.length; t++) {
                ofValues += weights[t];
                ofDifferences += weight(t);
            }
            double sum = 0;
            for (int t = 1; t < values.length; t++) {
                if (weight(t) > 0) {
                    double weight = weight(t) * ofValues / ofDifferences;
                    double error = values[t] - values[t - 1] - (labels[t] - labels[t - 1]);
                    sum += weight * 0.5 * error * error;
                    addSlope(gradient, t, factor * weight * error);
                    addSlope(gradient, t - 1, -factor * weight * error);
                }
            }
            return sum;
        }

        /** Weight of the difference that ends in a turn. */
        private double weight(int t) {
            return t > 0 && weights[t - 1] > 0 ? weights[t] : 0;
        }

        private void addSlope(ModelOutputs gradient, int t, double slope) {
            Mark turn = turns.get(t);
            gradient.at(Channel.SCORE, turn.row(), 0)[turn.index()] +=
                    slope * values[t] * (1 - values[t]);
        }
    }
}
