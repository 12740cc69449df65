package io.agentprm.api.lm;

import io.agentprm.api.Experimental;

/**
 * Settings of one optimiser step.
 *
 * @param learningRate step size of this step
 * @param maxGradientNorm clip the global gradient norm to this; {@code Double.POSITIVE_INFINITY} to
 *     leave it
 * @param microBatchTokens largest number of padded tokens of a micro-batch; a single group may
 *     exceed it
 */
@Experimental(since = "1.0")
public record UpdateOptions(double learningRate, double maxGradientNorm, int microBatchTokens) {}
