package io.agentprm.algos.optim;

import java.util.function.ObjDoubleConsumer;

/**
 * Estimates of the divergence of the current policy from the reference, from replies sampled by the
 * current policy: with {@code d} the log-ratio of a reply, {@code k1 = d}, {@code k2 = d^2 / 2},
 * {@code k3 = exp(-d) - 1 + d} (Schulman, 2020). Given per reply, and per token with {@code d} the
 * log-ratio of each token; both are plain means over what was sampled, so no padding enters.
 */
final class KlEstimates {
    private final double[] perReply = new double[3];
    private final double[] perToken = new double[3];
    private long replies;
    private long tokens;

    /** Adds a reply that was sampled so many times. */
    void add(double[] logProbs, double[] reference, int count) {
        double sum = 0;
        for (int i = 0; i < logProbs.length; i++) {
            double ratio = logProbs[i] - reference[i];
            add(perToken, ratio, count);
            sum += ratio;
        }
        add(perReply, sum, count);
        replies += count;
        tokens += (long) count * logProbs.length;
    }

    private static void add(double[] sums, double ratio, int count) {
        sums[0] += count * ratio;
        sums[1] += count * ratio * ratio / 2;
        sums[2] += count * (Math.expm1(-ratio) + ratio);
    }

    /** Reports {@code kl.k1} and on, {@code kl-per-token.k1} and on. */
    void report(ObjDoubleConsumer<String> sink) {
        for (int k = 0; k < 3; k++) {
            sink.accept("kl.k" + (k + 1), perReply[k] / replies);
            sink.accept("kl-per-token.k" + (k + 1), perToken[k] / tokens);
        }
    }
}
