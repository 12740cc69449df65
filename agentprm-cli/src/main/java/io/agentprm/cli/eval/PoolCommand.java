package io.agentprm.cli.eval;

import io.agentprm.cli.text.Table;
import io.agentprm.core.eval.Measure;
import io.agentprm.core.pipeline.PooledRuns;
import io.agentprm.core.report.Estimate;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Judges runs of several seeds together. */
@Command(
        name = "pool",
        description = {
            "Judge finished runs of one configuration and several seeds together.",
            "Judged by success or by the score, which is 100 times the mean outcome.",
            "Differences are to the first policy, paired by task and seed within each run; the"
                    + " interval is a bootstrap over tasks."
        })
public final class PoolCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "RUN", description = "Directories of finished runs.")
    private List<Path> runs = List.of();

    @Option(names = "--markdown", description = "Print a Markdown table.")
    private boolean markdown;

    @Option(
            names = "--compare",
            split = ",",
            paramLabel = "RUN",
            description =
                    "Finished runs of another configuration with the same seeds: a column with the"
                            + " difference to their agents, paired by task and seed.")
    private List<Path> others = List.of();

    @Option(
            names = "--measure",
            defaultValue = "success",
            paramLabel = "MEASURE",
            description =
                    "What agents are judged by: success or score (default: success). They differ"
                            + " where an outcome lies between 0 and 1, as WebShop's does.")
    private Measure measure = Measure.SUCCESS;

    @Override
    public void run() {
        PrintWriter screen = spec.commandLine().getOut();
        List<List<String>> rows = new ArrayList<>();
        List<String> columns =
                List.of(
                        "agent",
                        "episodes",
                        measure == Measure.SUCCESS ? "success, %" : "score",
                        "by run",
                        "mean actions",
                        "difference, points",
                        "to the others, points");
        int shown = others.isEmpty() ? columns.size() - 1 : columns.size();
        rows.add(columns.subList(0, shown));
        List<PooledRuns.Row> pooled =
                others.isEmpty()
                        ? PooledRuns.of(runs, measure)
                        : PooledRuns.comparing(runs, others, measure);
        pooled.forEach(row -> rows.add(cells(row).subList(0, shown)));
        if (markdown) {
            rows.add(1, Collections.nCopies(rows.get(0).size(), "---"));
            rows.forEach(row -> screen.println("| " + String.join(" | ", row) + " |"));
        } else {
            Table.print(screen, rows);
        }
    }

    private static List<String> cells(PooledRuns.Row row) {
        return List.of(
                row.agent(),
                Integer.toString(row.episodes()),
                percent(row.mean()),
                row.means().stream().map(PoolCommand::percent).collect(Collectors.joining(", ")),
                String.format(Locale.ROOT, "%.1f", row.meanActions()),
                row.difference().map(PoolCommand::points).orElse(""),
                row.compared().map(PoolCommand::points).orElse(""));
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f", 100 * share);
    }

    private static String points(Estimate difference) {
        return String.format(
                Locale.ROOT,
                "%+.1f [%+.1f, %+.1f]",
                100 * difference.value(),
                100 * difference.low(),
                100 * difference.high());
    }
}
