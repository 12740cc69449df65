package io.agentprm.core.pipeline;

/** Checks of numbers in configurations. */
final class Range {
    private Range() {}

    static void atLeast(double least, String key, double value) {
        if (!(value >= least)) {
            throw new IllegalArgumentException(
                    key + " must be at least " + (long) least + ", was " + value);
        }
    }
}
