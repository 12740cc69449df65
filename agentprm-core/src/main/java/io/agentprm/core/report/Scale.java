package io.agentprm.core.report;

import java.util.ArrayList;
import java.util.List;

/** Places the values of an axis between two coordinates of a drawing and chooses its ticks. */
final class Scale {
    private final Axis.Kind kind;
    private final double low;
    private final double high;
    private final double from;
    private final double to;
    private final List<Double> ticks;

    private Scale(
            Axis.Kind kind, double low, double high, double from, double to, List<Double> ticks) {
        this.kind = kind;
        this.low = low;
        this.high = high;
        this.from = from;
        this.to = to;
        this.ticks = ticks;
    }

    /**
     * A scale that covers given values.
     *
     * @param from coordinate of the smallest value
     * @param to coordinate of the largest value
     * @param roomy whether to round the ends to ticks
     */
    static Scale covering(
            Axis axis, double smallest, double largest, double from, double to, boolean roomy) {
        return switch (axis.kind()) {
            case SHARE -> new Scale(axis.kind(), 0, 1, from, to, List.of(0.0, .2, .4, .6, .8, 1.0));
            case LOG2 -> log2(smallest, largest, from, to);
            case INTEGER -> integer(smallest, largest, from, to);
            case LINEAR -> linear(smallest, largest, from, to, roomy);
        };
    }

    private static Scale log2(double smallest, double largest, double from, double to) {
        double low = Math.log(smallest) / Math.log(2);
        double high = Math.max(low + 1, Math.log(largest) / Math.log(2));
        List<Double> ticks = new ArrayList<>();
        for (int power = (int) Math.ceil(low - 1e-9); power <= high + 1e-9; power++) {
            ticks.add(Math.pow(2, power));
        }
        return new Scale(Axis.Kind.LOG2, low, high, from, to, ticks);
    }

    private static Scale integer(double smallest, double largest, double from, double to) {
        double low = Math.floor(smallest);
        double high = Math.max(low + 1, Math.ceil(largest));
        double step = Math.max(1, Math.rint(niceStep((high - low) / 6)));
        List<Double> ticks = new ArrayList<>();
        for (double tick = low; tick <= high; tick += step) {
            ticks.add(tick);
        }
        // Half a unit of room at both ends, so that markers and whiskers stay inside the frame.
        double room = Math.min(.5, (high - low) * .08);
        return new Scale(Axis.Kind.INTEGER, low - room, high + room, from, to, ticks);
    }

    private static Scale linear(
            double smallest, double largest, double from, double to, boolean roomy) {
        double low = smallest;
        double high = largest;
        if (!(high - low > 1e-12 * Math.max(Math.abs(low), Math.abs(high)))) {
            double room = low == 0 ? 1 : Math.abs(low) / 2;
            low -= room;
            high += room;
        }
        double step = niceStep((high - low) / 5);
        if (roomy) {
            low = Math.floor(low / step + 1e-9) * step;
            high = Math.ceil(high / step - 1e-9) * step;
        }
        List<Double> ticks = new ArrayList<>();
        long first = (long) Math.ceil(low / step - 1e-9);
        long last = (long) Math.floor(high / step + 1e-9);
        for (long i = first; i <= last; i++) {
            ticks.add(i * step);
        }
        return new Scale(Axis.Kind.LINEAR, low, high, from, to, ticks);
    }

    /** The smallest of 1, 2, 2.5, 5 times a power of ten that is not below a raw step. */
    private static double niceStep(double raw) {
        double power = Math.pow(10, Math.floor(Math.log10(raw)));
        for (double factor : new double[] {1, 2, 2.5, 5}) {
            if (factor * power >= raw * (1 - 1e-9)) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    double at(double value) {
        double v = kind == Axis.Kind.LOG2 ? Math.log(value) / Math.log(2) : value;
        double inside = Math.max(low, Math.min(high, v));
        return from + (inside - low) / (high - low) * (to - from);
    }

    List<Double> ticks() {
        return ticks;
    }

    String label(double tick) {
        return switch (kind) {
            case SHARE -> Numbers.fixed(100 * tick, 0);
            case LOG2, INTEGER, LINEAR -> Numbers.compact(tick);
        };
    }
}
