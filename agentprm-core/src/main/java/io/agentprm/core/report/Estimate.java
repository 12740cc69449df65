package io.agentprm.core.report;

/**
 * A number with its 95 % interval.
 *
 * @param value the estimate; rates are fractions in [0, 1], differences of rates lie in [-1, 1]
 * @param low lower end of the interval; equal to the value where none is known
 * @param high upper end of the interval; equal to the value where none is known
 */
public record Estimate(double value, double low, double high) {
    /** A number without an interval. */
    public static Estimate exact(double value) {
        return new Estimate(value, value, value);
    }

    boolean hasInterval() {
        return low < high;
    }
}
