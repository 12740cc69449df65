package io.agentprm.core.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A named line of a plot.
 *
 * @param name shown in the legend
 * @param points by ascending x; a point whose y is NaN leaves a gap
 */
public record Series(String name, List<Point> points) {
    public Series {
        points = List.copyOf(points);
    }

    /** One point. */
    public record Point(double x, Estimate y) {}

    /** A line without intervals. */
    public static Series of(String name, double[] x, double[] y) {
        if (x.length != y.length) {
            throw new IllegalArgumentException(
                    "series '" + name + "': " + x.length + " x for " + y.length + " y");
        }
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < x.length; i++) {
            points.add(new Point(x[i], Estimate.exact(y[i])));
        }
        return new Series(name, points);
    }
}
