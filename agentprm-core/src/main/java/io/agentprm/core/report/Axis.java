package io.agentprm.core.report;

/**
 * One axis of a plot.
 *
 * @param label what it shows, with its unit
 * @param kind how values are placed and written
 */
public record Axis(String label, Kind kind) {
    /** How values of an axis are placed and written. */
    public enum Kind {
        /** Linear, from the smallest to the largest value. */
        LINEAR,
        /** Linear over whole numbers only, such as iterations. */
        INTEGER,
        /** Powers of two at equal distances; values must be positive. */
        LOG2,
        /** A fraction, shown from 0 to 100 %. */
        SHARE
    }

    public static Axis linear(String label) {
        return new Axis(label, Kind.LINEAR);
    }

    public static Axis integer(String label) {
        return new Axis(label, Kind.INTEGER);
    }

    public static Axis log2(String label) {
        return new Axis(label, Kind.LOG2);
    }

    public static Axis share(String label) {
        return new Axis(label, Kind.SHARE);
    }
}
