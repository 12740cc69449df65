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
        out.println(
                "Success, % [95 % interval], "
                        + (graded(report) ? "score [95 % interval], " : "")
                        + "mean actions:");
        for (Iteration iteration : report.iterations()) {
            for (Evaluation evaluation : iteration.evaluations()) {
                out.printf(
                        Locale.ROOT,
                        row + "%5.1f  %-14s  %s%5.1f  of %d episodes%n",
                        evaluation.agent(),
                        100 * evaluation.success().value(),
                        interval(evaluation.success(), "%.1f"),
                        evaluation.score().map(ResultText::score).orElse(""),
                        evaluation.meanActions(),
                        evaluation.episodes());
            }
        }
        if (!report.comparisons().isEmpty()) {
            String what = graded(report) ? "Differences of success and of the score" : "Difference";
            out.println(what + " in points [95 % interval], paired by task and seed:");
        }
        for (Comparison comparison : report.comparisons()) {
            out.printf(
                    Locale.ROOT,
                    row + "%s%n",
                    title(comparison),
                    comparison
                            .score()
                            .map(s -> points(comparison.difference(), "%-16s  ") + points(s, "%s"))
                            .orElseGet(() -> points(comparison.difference(), "%s")));
        }
    }

    private static boolean graded(RunReport report) {
        return report.iterations().stream()
                .flatMap(iteration -> iteration.evaluations().stream())
                .anyMatch(evaluation -> evaluation.score().isPresent());
    }

    private static String score(Estimate score) {
        return String.format(
                Locale.ROOT, "%5.1f  %-14s  ", 100 * score.value(), interval(score, "%.1f"));
    }

    private static String points(Estimate difference, String format) {
        return String.format(
                Locale.ROOT,
                "%+5.1f  " + format,
                100 * difference.value(),
                interval(difference, "%+.1f"));
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
