package io.agentprm.core.report;

import java.util.ArrayList;
import java.util.List;

/** Draws a {@link Plot}. Long lines are thinned and get a moving average on top. */
final class PlotChart {
    private static final int MOST_POINTS = 300;
    private static final int MOST_DOTS = 40;
    private static final double DODGE = 5;

    private PlotChart() {}

    static void write(Html html, Plot plot, double width, double height) {
        html.open("figure");
        html.element("figcaption", plot.title());
        Legend.write(html, plot.series().stream().map(Series::name).toList());
        Frame frame = new Frame(html, width, height);
        frame.open(plot.title());
        List<Series> series = plot.series().stream().map(PlotChart::thinned).toList();
        Scale x = xScale(plot, series, frame);
        Scale y = yScale(plot, series, frame);
        frame.axes(x, plot.x().label(), y, label(plot.y()));
        boolean dodge =
                series.size() > 1
                        && series.stream()
                                .flatMap(s -> s.points().stream())
                                .anyMatch(p -> p.y().hasInterval());
        for (int i = 0; i < series.size(); i++) {
            double shift = dodge ? (i - (series.size() - 1) / 2.0) * DODGE : 0;
            draw(frame, plot, series.get(i), i, x, y, shift);
        }
        frame.close();
        boolean smoothed = series.stream().anyMatch(s -> s.points().size() > MOST_DOTS);
        note(html, plot.note(), smoothed);
        html.close("figure").line();
    }

    private static void note(Html html, String note, boolean smoothed) {
        String text =
                smoothed ? (note + " Thin: as recorded. Bold: moving average.").strip() : note;
        if (!text.isEmpty()) {
            html.element("p", text, "class", "note");
        }
    }

    static String label(Axis axis) {
        return axis.kind() == Axis.Kind.SHARE ? axis.label() + ", %" : axis.label();
    }

    private static void draw(
            Frame frame, Plot plot, Series series, int index, Scale x, Scale y, double shift) {
        String style = Legend.style(index);
        List<Series.Point> points = series.points();
        boolean isLong = points.size() > MOST_DOTS;
        frame.path((isLong ? "raw " : "line ") + style, polyline(points, x, y, shift));
        if (isLong) {
            frame.path("line " + style, polyline(averaged(points), x, y, shift));
            return;
        }
        for (Series.Point point : points) {
            if (Double.isNaN(point.y().value())) {
                continue;
            }
            double px = x.at(point.x()) + shift;
            if (point.y().hasInterval()) {
                frame.line(
                        "whisker " + style, px, y.at(point.y().low()), px, y.at(point.y().high()));
            }
            frame.dot(
                    "dot " + style,
                    px,
                    y.at(point.y().value()),
                    3.2,
                    series.name() + ", " + x.label(point.x()) + ": " + tip(plot.y(), point.y()));
        }
    }

    private static String tip(Axis axis, Estimate value) {
        return axis.kind() == Axis.Kind.SHARE
                ? (Numbers.percent(value.value()) + " % " + Numbers.interval(value)).strip()
                : Numbers.compact(value.value());
    }

    private static String polyline(List<Series.Point> points, Scale x, Scale y, double shift) {
        StringBuilder path = new StringBuilder();
        boolean pen = false;
        for (Series.Point point : points) {
            if (!Double.isFinite(point.y().value())) {
                pen = false;
                continue;
            }
            path.append(pen ? 'L' : 'M')
                    .append(Numbers.coordinate(x.at(point.x()) + shift))
                    .append(' ')
                    .append(Numbers.coordinate(y.at(point.y().value())));
            pen = true;
        }
        return path.toString();
    }

    /** Means of neighbours, so that the file stays small whatever the length of the run. */
    private static Series thinned(Series series) {
        int size = series.points().size();
        if (size <= MOST_POINTS) {
            return series;
        }
        List<Series.Point> points = new ArrayList<>();
        for (int i = 0; i < MOST_POINTS; i++) {
            int from = (int) ((long) i * size / MOST_POINTS);
            int to = (int) ((long) (i + 1) * size / MOST_POINTS);
            points.add(mean(series.points().subList(from, to)));
        }
        return new Series(series.name(), points);
    }

    private static List<Series.Point> averaged(List<Series.Point> points) {
        int reach = Math.max(2, points.size() / 30);
        List<Series.Point> averaged = new ArrayList<>();
        for (int i = 0; i < points.size(); i++) {
            int from = Math.max(0, i - reach);
            int to = Math.min(points.size(), i + reach + 1);
            Series.Point mean = mean(points.subList(from, to));
            averaged.add(new Series.Point(points.get(i).x(), mean.y()));
        }
        return averaged;
    }

    private static Series.Point mean(List<Series.Point> points) {
        double x = points.stream().mapToDouble(Series.Point::x).average().orElseThrow();
        double y =
                points.stream()
                        .mapToDouble(p -> p.y().value())
                        .filter(Double::isFinite)
                        .average()
                        .orElse(Double.NaN);
        return new Series.Point(x, Estimate.exact(y));
    }

    private static Scale xScale(Plot plot, List<Series> series, Frame frame) {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (Series s : series) {
            for (Series.Point point : s.points()) {
                low = Math.min(low, point.x());
                high = Math.max(high, point.x());
            }
        }
        boolean any = low <= high;
        double room = plot.x().kind() == Axis.Kind.LOG2 ? 10 : 0;
        return Scale.covering(
                plot.x(),
                any ? low : 1,
                any ? high : 1,
                frame.left() + room,
                frame.right() - room,
                false);
    }

    private static Scale yScale(Plot plot, List<Series> series, Frame frame) {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (Series s : series) {
            for (Series.Point point : s.points()) {
                if (Double.isFinite(point.y().value())) {
                    low = Math.min(low, Math.min(point.y().low(), point.y().value()));
                    high = Math.max(high, Math.max(point.y().high(), point.y().value()));
                }
            }
        }
        boolean any = low <= high;
        return Scale.covering(
                plot.y(), any ? low : 0, any ? high : 1, frame.bottom(), frame.top(), true);
    }
}
