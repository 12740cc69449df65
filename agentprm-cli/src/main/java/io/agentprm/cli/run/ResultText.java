package io.agentprm.cli.run;

import io.agentprm.core.report.Comparison;
import io.agentprm.core.report.Estimate;
import io.agentprm.core.report.Evaluation;
import io.agentprm.core.report.Iteration;
import io.agentprm.core.report.RunReport;
import java.io.PrintWriter;
import java.util.Locale;

/** The results of a run for the terminal. */
final class ResultText {
    private ResultText() {}

    static void print(PrintWriter out, RunReport report) {
        int width = 12;
        for (Iteration iteration : report.iterations()) {
            for (Evaluation evaluation : iteration.evaluations()) {
                width = Math.max(width, evaluation.agent().length());
            }
        }
        for (Comparison comparison : report.comparisons()) {
            width = Math.max(width, title(comparison).length());
        }
        String row = "  %-" + width + "s  ";
        out.println("Success, % [95 % interval], mean actions:");
        for (Iteration iteration : report.iterations()) {
            for (Evaluation evaluation : iteration.evaluations()) {
                out.printf(
                        Locale.ROOT,
                        row + "%5.1f  %-14s  %5.1f  of %d episodes%n",
                        evaluation.agent(),
                        100 * evaluation.success().value(),
                        interval(evaluation.success(), "%.1f"),
                        evaluation.meanActions(),
                        evaluation.episodes());
            }
        }
        if (!report.comparisons().isEmpty()) {
            out.println("Difference in points [95 % interval], paired by task and seed:");
        }
        for (Comparison comparison : report.comparisons()) {
            out.printf(
                    Locale.ROOT,
                    row + "%+5.1f  %s%n",
                    title(comparison),
                    100 * comparison.difference().value(),
                    interval(comparison.difference(), "%+.1f"));
        }
    }

    private static String title(Comparison comparison) {
        return comparison.agent() + " - " + comparison.baseline();
    }

    private static String interval(Estimate estimate, String format) {
        return String.format(
                Locale.ROOT,
                "[" + format + ", " + format + "]",
                100 * estimate.low(),
                100 * estimate.high());
    }
}
