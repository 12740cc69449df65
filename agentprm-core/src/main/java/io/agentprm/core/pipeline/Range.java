package io.agentprm.core.pipeline;

/** Checks of numbers in configurations. */
final class Range {
    private Range() {}

    static void atLeast(double least, String key, double value) {
        if (!(value >= least)) {
            throw new IllegalArgumentException(
                    key + " must be at least " + text(least) + ", was " + text(value));
        }
    }

    static void above(double least, String key, double value) {
        if (!(value > least)) {
            throw new IllegalArgumentException(
                    key + " must be above " + text(least) + ", was " + text(value));
        }
    }

    /** In [0, 1). */
    static void share(String key, double value) {
        if (!(value >= 0 && value < 1)) {
            throw new IllegalArgumentException(key + " must lie in [0, 1), was " + text(value));
        }
    }

    /** A whole number without the point that it was not written with. */
    private static String text(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}
