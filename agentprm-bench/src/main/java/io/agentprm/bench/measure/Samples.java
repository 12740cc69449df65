package io.agentprm.bench.measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Repeated measurements of one thing. */
public final class Samples {
    private final List<Timing> timings = new ArrayList<>();

    /** Adds one. */
    public void add(Timing timing) {
        timings.add(timing);
    }

    /** Median on the wall clock, in seconds. */
    public double wall() {
        return median(Timing::wall);
    }

    /** Median processor time, in seconds. */
    public double cpu() {
        return median(Timing::cpu);
    }

    private double median(ToDoubleFunction<Timing> value) {
        return median(timings.stream().map(value::applyAsDouble).toList());
    }

    /** Shortest on the wall clock, in seconds: what other work on the machine disturbed least. */
    public double shortest() {
        return timings.stream().mapToDouble(Timing::wall).min().orElseThrow();
    }

    /** Median of numbers; the mean of the two in the middle where their count is even. */
    public static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(middle)
                : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
