package io.agentprm.api.policy;

import io.agentprm.api.Stable;

/**
 * How a reply is drawn.
 *
 * @param temperature divisor of the logits; 0 means greedy
 * @param topP nucleus mass in (0, 1]; 1 keeps everything
 * @param maxNewTokens limit of a reply's length, the stop token included
 */
@Stable(since = "1.0")
public record Sampling(double temperature, double topP, int maxNewTokens) {
    public Sampling {
        if (!(temperature >= 0)) {
            throw new IllegalArgumentException("temperature must be 0 or more, was " + temperature);
        }
        if (!(topP > 0 && topP <= 1)) {
            throw new IllegalArgumentException("top-p must lie in (0, 1], was " + topP);
        }
        if (maxNewTokens < 1) {
            throw new IllegalArgumentException(
                    "a reply needs at least 1 new token, limit was " + maxNewTokens);
        }
    }

    public static Sampling greedy(int maxNewTokens) {
        return new Sampling(0, 1, maxNewTokens);
    }

    public static Sampling temperature(double temperature, int maxNewTokens) {
        return new Sampling(temperature, 1, maxNewTokens);
    }
}
