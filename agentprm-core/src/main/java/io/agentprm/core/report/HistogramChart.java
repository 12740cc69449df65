package io.agentprm.core.report;

import java.util.List;

/** Draws a {@link Histogram}: outlines over each other, as shares of each group. */
final class HistogramChart {
    private HistogramChart() {}

    static void write(Html html, Histogram histogram, double width, double height) {
        html.open("figure");
        html.element("figcaption", histogram.title());
        Legend.write(html, names(histogram));
        Frame frame = new Frame(html, width, height);
        frame.open(histogram.title());
        Scale x =
                Scale.covering(
                        Axis.linear(histogram.label()),
                        histogram.low(),
                        histogram.high(),
                        frame.left(),
                        frame.right(),
                        false);
        Scale y =
                Scale.covering(
                        Axis.linear("turns"),
                        0,
                        Math.max(1e-9, 100 * highest(histogram)),
                        frame.bottom(),
                        frame.top(),
                        true);
        frame.axes(x, histogram.label(), y, "turns, %");
        for (int i = 0; i < histogram.groups().size(); i++) {
            String outline = outline(histogram, histogram.groups().get(i), x, y);
            frame.path("fill " + Legend.style(i), outline + "Z");
            frame.path("line " + Legend.style(i), outline);
        }
        frame.close();
        if (!histogram.note().isEmpty()) {
            html.element("p", histogram.note(), "class", "note");
        }
        html.close("figure").line();
    }

    private static List<String> names(Histogram histogram) {
        return histogram.groups().stream()
                .map(g -> g.name() + " (" + Numbers.count(g.total()) + ")")
                .toList();
    }

    private static double highest(Histogram histogram) {
        double highest = 0;
        for (Histogram.Group group : histogram.groups()) {
            for (long count : group.counts()) {
                highest = Math.max(highest, share(group, count));
            }
        }
        return highest;
    }

    private static double share(Histogram.Group group, long count) {
        return group.total() == 0 ? 0 : (double) count / group.total();
    }

    private static String outline(Histogram histogram, Histogram.Group group, Scale x, Scale y) {
        int bins = group.counts().size();
        double width = (histogram.high() - histogram.low()) / bins;
        StringBuilder path = new StringBuilder();
        path.append('M')
                .append(Numbers.coordinate(x.at(histogram.low())))
                .append(' ')
                .append(Numbers.coordinate(y.at(0)));
        for (int i = 0; i < bins; i++) {
            double top = y.at(100 * share(group, group.counts().get(i)));
            path.append('V').append(Numbers.coordinate(top));
            path.append('H').append(Numbers.coordinate(x.at(histogram.low() + (i + 1) * width)));
        }
        return path.append('V').append(Numbers.coordinate(y.at(0))).toString();
    }
}
