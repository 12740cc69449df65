package io.agentprm.core.report;

/** Draws a {@link Calibration}: observed success against predicted probability. */
final class CalibrationChart {
    private CalibrationChart() {}

    static void write(Html html, Calibration calibration, double width, double height) {
        html.open("figure");
        html.element("figcaption", calibration.title());
        Frame frame = new Frame(html, width, height);
        frame.open(calibration.title());
        Axis predicted = Axis.share("predicted probability of success, %");
        Scale x = Scale.covering(predicted, 0, 1, frame.left(), frame.right(), false);
        Scale y = Scale.covering(Axis.share("observed"), 0, 1, frame.bottom(), frame.top(), false);
        frame.axes(x, predicted.label(), y, "observed success, %");
        frame.line("ideal", x.at(0), y.at(0), x.at(1), y.at(1));
        long most = calibration.bins().stream().mapToLong(Calibration.Bin::count).max().orElse(1);
        for (Calibration.Bin bin : calibration.bins()) {
            double px = x.at(bin.predicted());
            Estimate observed = bin.observed();
            if (observed.hasInterval()) {
                frame.line("whisker s0", px, y.at(observed.low()), px, y.at(observed.high()));
            }
            frame.dot(
                    "dot s0",
                    px,
                    y.at(observed.value()),
                    2 + 5 * Math.sqrt((double) bin.count() / Math.max(1, most)),
                    "predicted "
                            + Numbers.percent(bin.predicted())
                            + " %, observed "
                            + Numbers.percent(observed.value())
                            + " % of "
                            + Numbers.count(bin.count())
                            + " turns");
        }
        frame.close();
        html.element(
                "p",
                "Brier score "
                        + Numbers.fixed(calibration.brier(), 3)
                        + ", expected calibration error "
                        + Numbers.fixed(calibration.expectedError(), 3)
                        + ". Area of a dot: number of turns. Dashed: perfect calibration.",
                "class",
                "note");
        html.close("figure").line();
    }
}
