package io.agentprm.core.report;

/** The drawing area of a chart with its grid, ticks and axis labels. */
final class Frame {
    static final double LEFT = 46;
    static final double TOP = 24;
    static final double RIGHT = 14;
    static final double BOTTOM = 40;

    private final Html html;
    private final double width;
    private final double height;

    Frame(Html html, double width, double height) {
        this.html = html;
        this.width = width;
        this.height = height;
    }

    double left() {
        return LEFT;
    }

    double right() {
        return width - RIGHT;
    }

    double top() {
        return TOP;
    }

    double bottom() {
        return height - BOTTOM;
    }

    void open(String description) {
        html.open(
                        "svg",
                        "viewBox",
                        "0 0 " + Numbers.coordinate(width) + " " + Numbers.coordinate(height),
                        "role",
                        "img",
                        "aria-label",
                        description)
                .line();
    }

    void close() {
        html.close("svg").line();
    }

    void axes(Scale x, String xLabel, Scale y, String yLabel) {
        for (double tick : y.ticks()) {
            line("grid", left(), y.at(tick), right(), y.at(tick));
            label("end", left() - 7, y.at(tick) + 4, y.label(tick));
        }
        for (double tick : x.ticks()) {
            line("tick", x.at(tick), bottom(), x.at(tick), bottom() + 4);
            label("middle", x.at(tick), bottom() + 17, x.label(tick));
        }
        line("axis", left(), bottom(), right(), bottom());
        html.element(
                        "text",
                        xLabel,
                        "class",
                        "name",
                        "text-anchor",
                        "middle",
                        "x",
                        Numbers.coordinate((left() + right()) / 2),
                        "y",
                        Numbers.coordinate(height - 5))
                .line();
        html.element("text", yLabel, "class", "name", "x", "0", "y", "12").line();
    }

    void line(String style, double x1, double y1, double x2, double y2) {
        html.empty(
                        "line",
                        "class",
                        style,
                        "x1",
                        Numbers.coordinate(x1),
                        "y1",
                        Numbers.coordinate(y1),
                        "x2",
                        Numbers.coordinate(x2),
                        "y2",
                        Numbers.coordinate(y2))
                .line();
    }

    /** A dot that tells its value when pointed at. */
    void dot(String style, double x, double y, double radius, String tip) {
        html.open(
                        "circle",
                        "class",
                        style,
                        "cx",
                        Numbers.coordinate(x),
                        "cy",
                        Numbers.coordinate(y),
                        "r",
                        Numbers.coordinate(radius))
                .element("title", tip)
                .close("circle")
                .line();
    }

    void path(String style, String commands) {
        html.empty("path", "class", style, "d", commands).line();
    }

    private void label(String anchor, double x, double y, String text) {
        html.element(
                        "text",
                        text,
                        "text-anchor",
                        anchor,
                        "x",
                        Numbers.coordinate(x),
                        "y",
                        Numbers.coordinate(y))
                .line();
    }
}
