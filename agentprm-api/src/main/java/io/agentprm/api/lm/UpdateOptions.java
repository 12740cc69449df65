package io.agentprm.api.lm;

import io.agentprm.api.Experimental;
import io.agentprm.api.run.RandomSource;

/**
 * Settings of one optimiser step.
 *
 * @param learningRate step size of this step
 * @param maxGradientNorm clip the global gradient norm to this; {@code Double.POSITIVE_INFINITY} to
 *     leave it
 * @param microBatchTokens largest number of padded tokens of a micro-batch; a single group may
 *     exceed it
 * @param random where training draws from, such as the masks of dropout; the model derives other
 *     draws from it for each update
 */
@Experimental(since = "1.0")
public record UpdateOptions(
        double learningRate, double maxGradientNorm, int microBatchTokens, RandomSource random) {

    /** The same with the draws of seed 0: of a model that has none, there is nothing to choose. */
    public UpdateOptions(double learningRate, double maxGradientNorm, int microBatchTokens) {
        this(learningRate, maxGradientNorm, microBatchTokens, RandomSource.of(0));
    }
}
