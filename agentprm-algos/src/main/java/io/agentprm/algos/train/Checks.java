package io.agentprm.algos.train;

/** Checks of settings; each complaint names the key. */
public final class Checks {
    private Checks() {}

    /** Checks what all updates of weights have in common. */
    public static void updates(
            double learningRate, double warmup, double maxGradientNorm, int microBatchTokens) {
        if (!(learningRate >= 0 && learningRate < Double.MAX_VALUE)) {
            throw new IllegalArgumentException(
                    "learning-rate must be 0 or more, was " + learningRate);
        }
        share("warmup", warmup);
        above0("max-gradient-norm", maxGradientNorm);
        atLeast("micro-batch-tokens", microBatchTokens, 1);
    }

    public static void atLeast(String key, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(
                    key + " must be at least " + least + ", was " + value);
        }
    }

    public static void above0(String key, double value) {
        if (!(value > 0)) {
            throw new IllegalArgumentException(key + " must be above 0, was " + value);
        }
    }

    /** In [0, 1). */
    public static void share(String key, double value) {
        if (!(value >= 0 && value < 1)) {
            throw new IllegalArgumentException(key + " must lie in [0, 1), was " + value);
        }
    }
}
