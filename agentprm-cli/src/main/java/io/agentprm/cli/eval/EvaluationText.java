package io.agentprm.cli.eval;

import io.agentprm.core.eval.EvaluationReport;
import io.agentprm.core.eval.Measure;
import io.agentprm.core.eval.PairedBootstrap;
import io.agentprm.core.eval.Tally;
import io.agentprm.core.report.Estimate;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Evaluations for the terminal. */
final class EvaluationText {
    private EvaluationText() {}

    static void print(PrintWriter out, EvaluationReport report) {
        out.printf(
                Locale.ROOT,
                "%s (%s) on %s, split %s, seed %d, at most %d actions%n",
                report.setup().agent(),
                report.setup().decoding(),
                report.setup().environment(),
                report.setup().split(),
                report.setup().seed(),
                report.setup().stepLimit());
        String engine =
                report.setup().versions().entrySet().stream()
                        .filter(version -> List.of("engine", "device").contains(version.getKey()))
                        .sorted(Map.Entry.<String, String>comparingByKey().reversed())
                        .map(version -> version.getKey() + ": " + version.getValue())
                        .collect(Collectors.joining("; "));
        if (!engine.isEmpty()) {
            out.println("  " + engine);
        }
        int width = report.categories().keySet().stream().mapToInt(String::length).max().orElse(0);
        width = Math.max(width, "all".length());
        out.printf(
                Locale.ROOT,
                "  %-" + width + "s  %8s  %s%n",
                "",
                "episodes",
                "success, % [95 %]      "
                        + (report.all().score().isPresent() ? "score [95 %]           " : "")
                        + "actions");
        for (var entry : report.categories().entrySet()) {
            row(out, width, entry.getKey(), entry.getValue());
        }
        row(out, width, "all", report.all());
        if (report.all().aborted() > 0) {
            out.println("  aborted, counted as failures: " + report.all().aborted());
        }
    }

    private static void row(PrintWriter out, int width, String name, Tally tally) {
        out.printf(
                Locale.ROOT,
                "  %-" + width + "s  %8d  %s%s%5.1f%n",
                name,
                tally.episodes(),
                mean(tally.success()),
                tally.score().map(EvaluationText::mean).orElse(""),
                tally.meanActions());
    }

    private static String mean(Estimate estimate) {
        return String.format(
                Locale.ROOT, "%5.1f  %-14s  ", 100 * estimate.value(), interval(estimate, "%.1f"));
    }

    /**
     * @param measure what the difference is one of
     */
    static void print(
            PrintWriter out,
            String one,
            String other,
            Measure measure,
            PairedBootstrap.Result result) {
        out.printf(
                Locale.ROOT,
                "%s - %s%s: %+.1f points %s, %d pairs of %d tasks%n",
                one,
                other,
                measure == Measure.SUCCESS ? "" : ", " + measure,
                100 * result.difference().value(),
                interval(result.difference(), "%+.1f"),
                result.pairs(),
                result.tasks());
    }

    private static String interval(Estimate estimate, String format) {
        return String.format(
                Locale.ROOT,
                "[" + format + ", " + format + "]",
                100 * estimate.low(),
                100 * estimate.high());
    }
}
