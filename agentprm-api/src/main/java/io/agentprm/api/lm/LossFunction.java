package io.agentprm.api.lm;

import io.agentprm.api.Experimental;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A loss in plain Java: the engine runs forward, hands over the outputs, and takes back the loss
 * and its gradient with respect to those outputs. Written once, it trains on every engine.
 */
@Experimental(since = "1.0")
public interface LossFunction {
    /** Channels that the loss reads. */
    Set<Channel> channels();

    /**
     * The number by which the whole batch's sum is divided (tokens, pairs, labels), so that cutting
     * a batch into micro-batches changes nothing.
     *
     * @throws io.agentprm.api.AgentPrmException if it would be zero: a batch without anything to
     *     learn from is an error
     */
    double normalizer(List<TrainingRow> batch);

    /**
     * Loss of a micro-batch.
     *
     * @param rows rows of the micro-batch; all rows of a group are present
     * @param outputs model outputs for them
     * @param normalizer {@link #normalizer} of the whole batch
     */
    Value evaluate(List<TrainingRow> rows, ModelOutputs outputs, double normalizer);

    /**
     * Loss and gradient.
     *
     * @param loss contribution of the micro-batch to the batch's loss
     * @param gradient of that contribution with respect to the outputs, in their shape
     * @param metrics named contributions that add up over micro-batches to figures of the batch
     */
    record Value(double loss, ModelOutputs gradient, Map<String, Double> metrics) {}
}
