package io.agentprm.api.trajectory;

import io.agentprm.api.Stable;

/**
 * The token ids of a reply as they were sampled, and the log-probabilities under which they were.
 * Immutable.
 */
@Stable(since = "1.0")
public final class SampledTokens {
    private final int[] ids;
    private final double[] logProbs;
    private final double temperature;

    private SampledTokens(int[] ids, double[] logProbs, double temperature) {
        this.ids = ids.clone();
        this.logProbs = logProbs.clone();
        this.temperature = temperature;
    }

    /**
     * Makes a record of sampled tokens.
     *
     * @param ids token ids, the stop token included where one was sampled
     * @param logProbs natural log-probability of each id given everything before it, of the
     *     unconstrained model at that temperature; same length
     * @param temperature temperature that the log-probabilities belong to; 1 where sampling was
     *     greedy
     */
    public static SampledTokens of(int[] ids, double[] logProbs, double temperature) {
        if (ids.length != logProbs.length) {
            throw new IllegalArgumentException(
                    ids.length + " token ids but " + logProbs.length + " log-probabilities");
        }
        return new SampledTokens(ids, logProbs, temperature);
    }

    public int[] ids() {
        return ids.clone();
    }

    public double[] logProbs() {
        return logProbs.clone();
    }

    public double temperature() {
        return temperature;
    }

    public int length() {
        return ids.length;
    }
}
