package io.agentprm.core.report;

/** An estimate and its interval as a small drawing for a table cell. */
final class IntervalBar {
    private static final double WIDTH = 180;
    private static final double MIDDLE = 8;

    private final Scale scale;
    private final double low;
    private final double high;
    private final double reference;

    /** Bars from low to high, with a thin line at the reference value. */
    IntervalBar(double low, double high, double reference) {
        this.scale = Scale.covering(Axis.linear(""), low, high, 6, WIDTH - 6, false);
        this.low = low;
        this.high = high;
        this.reference = reference;
    }

    void write(Html html, Estimate estimate, String style) {
        html.open("svg", "class", "bar", "viewBox", "0 0 180 16", "aria-hidden", "true");
        line(html, "grid", low, MIDDLE, high, MIDDLE);
        line(html, "axis", reference, 0, reference, 16);
        line(html, "whisker " + style, estimate.low(), MIDDLE, estimate.high(), MIDDLE);
        html.empty(
                "circle",
                "class",
                "dot " + style,
                "cx",
                Numbers.coordinate(scale.at(estimate.value())),
                "cy",
                Numbers.coordinate(MIDDLE),
                "r",
                "4");
        html.close("svg");
    }

    private void line(Html html, String style, double from, double y1, double to, double y2) {
        html.empty(
                "line",
                "class",
                style,
                "x1",
                Numbers.coordinate(scale.at(from)),
                "y1",
                Numbers.coordinate(y1),
                "x2",
                Numbers.coordinate(scale.at(to)),
                "y2",
                Numbers.coordinate(y2));
    }
}
