package io.agentprm.cli.run;

import io.agentprm.core.report.Comparison;
import io.agentprm.core.report.Estimate;
import io.agentprm.core.report.Evaluation;
import io.agentprm.core.report.Iteration;
import io.agentprm.core.report.RunReport;
import java.io.PrintWriter;
import java.util.Locale;

/** The results of a run as a table of text. */
final class ResultTable {
    private ResultTable() {}

    static void print(RunReport report, PrintWriter out) {
        out.println();
        out.printf("%-34s %8s  %-18s %8s%n", "agent", "success", "95 % interval", "actions");
        for (Iteration iteration : report.iterations()) {
            for (Evaluation e : iteration.evaluations()) {
                out.printf(
                        Locale.ROOT,
                        "%-34s %7.1f%%  %-18s %8.1f%n",
                        e.agent(),
                        100 * e.success().value(),
                        interval(e.success()),
                        e.meanActions());
            }
        }
        if (!report.comparisons().isEmpty()) {
            out.println();
            out.printf("%-60s %8s  %s%n", "paired difference", "points", "95 % interval");
        }
        for (Comparison c : report.comparisons()) {
            out.printf(
                    Locale.ROOT,
                    "%-60s %+8.1f  %s%n",
                    c.agent() + " - " + c.baseline(),
                    100 * c.difference().value(),
                    interval(c.difference()));
        }
        out.println();
    }

    private static String interval(Estimate estimate) {
        return String.format(
                Locale.ROOT, "[%.1f, %.1f]", 100 * estimate.low(), 100 * estimate.high());
    }
}
