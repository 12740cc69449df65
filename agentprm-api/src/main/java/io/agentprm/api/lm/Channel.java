package io.agentprm.api.lm;

import io.agentprm.api.Experimental;

/**
 * Name of a model output. An open set: an engine says which it gives.
 *
 * @param name what is given
 * @param temperature divisor of the logits before the softmax; 1 where it means nothing
 */
@Experimental(since = "1.0")
public record Channel(String name, double temperature) {
    /** Raw output of the score head at each mark of a segment. */
    public static final Channel SCORE = new Channel("score", 1);

    /** Natural log-probability of each supervised token of a segment. */
    public static Channel logProb(double temperature) {
        return new Channel("log-prob", temperature);
    }

    /**
     * Entropy (nats) of the distribution that each supervised token of a segment was drawn from.
     */
    public static Channel entropy(double temperature) {
        return new Channel("entropy", temperature);
    }
}
