package io.agentprm.core.report;

import java.util.List;

/**
 * Lines over common axes.
 *
 * @param title short
 * @param note one or two sentences under the plot on how to read it; may be empty
 * @param series at most six are told apart by colour and dash
 */
public record Plot(String title, String note, Axis x, Axis y, List<Series> series) {
    public Plot {
        series = List.copyOf(series);
    }
}
