package io.agentprm.algos.loss;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TrainingRow;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Collects terms of a loss, their slopes and metrics, and divides all of them by the normaliser: so
 * contributions of micro-batches add up to those of the batch.
 */
public final class LossSum {
    private final ModelOutputs gradient;
    private final double normalizer;
    private final Map<String, Double> metrics = new TreeMap<>();
    private double loss;

    private LossSum(ModelOutputs gradient, double normalizer) {
        this.gradient = gradient;
        this.normalizer = normalizer;
    }

    public static LossSum of(List<TrainingRow> rows, Set<Channel> channels, double normalizer) {
        return new LossSum(
                ModelOutputs.zeros(rows.stream().map(TrainingRow::tree).toList(), channels),
                normalizer);
    }

    /** Adds a term to the loss. */
    public void add(double term) {
        loss += term / normalizer;
    }

    /** Adds the slope of the terms with respect to one output. */
    public void addSlope(Channel channel, int row, int segment, int index, double slope) {
        gradient.at(channel, row, segment)[index] += slope / normalizer;
    }

    /** Adds a term to a metric, which starts at 0. */
    public void addMetric(String name, double term) {
        metrics.merge(name, term / normalizer, Double::sum);
    }

    public LossFunction.Value value() {
        return new LossFunction.Value(loss, gradient, metrics);
    }
}
