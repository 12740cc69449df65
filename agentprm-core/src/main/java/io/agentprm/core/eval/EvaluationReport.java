package io.agentprm.core.eval;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.RunException;
import io.agentprm.core.config.ConfigBinder;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.files.DurableFiles;
import io.agentprm.core.report.CategoryResult;
import io.agentprm.core.report.Estimate;
import io.agentprm.core.report.Evaluation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The result of an agent on tasks times attempts, with everything needed to compare it. */
public record EvaluationReport(
        @Description("Schema of the file.") String schema,
        @Description("Conditions.") EvaluationSetup setup,
        @Description("Number of tasks.") int tasks,
        @Description("Figures of all episodes.") Tally all,
        @Description("Figures by category of task.") Map<String, Tally> categories,
        @Description("Tokens that went through models for it; 0 if unknown.") @Default("0")
                long tokens) {
    private static final String SCHEMA = "agentprm.evaluation/1";

    /**
     * Counts finished episodes.
     *
     * @param graded whether to report the mean outcome besides success. {@link Measure#graded} says
     *     so of all episodes that are shown together: either every row of a table has a score, or
     *     none has one.
     */
    public static EvaluationReport of(
            EvaluationSetup setup, List<Trajectory> trajectories, boolean graded, long tokens) {
        SortedMap<String, List<Trajectory>> byCategory = new TreeMap<>();
        TreeSet<String> tasks = new TreeSet<>();
        for (Trajectory trajectory : trajectories) {
            byCategory
                    .computeIfAbsent(trajectory.task().category(), name -> new ArrayList<>())
                    .add(trajectory);
            tasks.add(trajectory.task().id());
        }
        Map<String, Tally> categories = new LinkedHashMap<>();
        byCategory.forEach(
                (name, episodes) -> categories.put(name, tally(setup, episodes, graded)));
        return new EvaluationReport(
                SCHEMA,
                setup,
                tasks.size(),
                tally(setup, trajectories, graded),
                categories,
                tokens);
    }

    private static Tally tally(EvaluationSetup setup, List<Trajectory> episodes, boolean graded) {
        Optional<Estimate> score =
                graded
                        ? Optional.of(
                                TaskBootstrap.mean(
                                        episodes,
                                        Measure.SCORE,
                                        RandomSource.of(setup.seed()).derive("bootstrap")))
                        : Optional.empty();
        return Tally.of(episodes, setup.stepLimit(), score);
    }

    /**
     * Reads a report; fields of later versions of the same schema are ignored.
     *
     * @throws RunException if it is not one
     */
    public static EvaluationReport read(Path file) {
        EvaluationReport report =
                ConfigBinder.tolerant().bind(ConfigNode.read(file), EvaluationReport.class);
        if (!report.schema().equals(SCHEMA)) {
            throw new RunException(
                    file + " holds " + report.schema() + ", but " + SCHEMA + " is expected");
        }
        return report;
    }

    public void write(Path file, DurableFiles files) {
        files.write(file, ConfigBinder.strict().unbind(this).toJson());
    }

    /** What makes two reports incomparable, one line each; empty if nothing does. */
    public List<String> differences(EvaluationReport other) {
        List<String> lines = new ArrayList<>();
        EvaluationSetup theirs = other.setup();
        differing(lines, "environment", setup.environment(), theirs.environment());
        differing(
                lines,
                "environment version",
                setup.environmentVersion(),
                theirs.environmentVersion());
        differing(lines, "content hash", setup.contentHash(), theirs.contentHash());
        differing(lines, "step limit", setup.stepLimit(), theirs.stepLimit());
        differing(lines, "split", setup.split(), theirs.split());
        differing(lines, "seed", setup.seed(), theirs.seed());
        differing(lines, "number of tasks", tasks, other.tasks());
        differing(lines, "number of episodes", all.episodes(), other.all().episodes());
        return lines;
    }

    private static void differing(List<String> lines, String what, Object one, Object other) {
        if (!one.equals(other)) {
            lines.add("results are not comparable: " + what + " " + one + " against " + other);
        }
    }

    /** As a row of the run's report. */
    public Evaluation toRow(String name) {
        return new Evaluation(
                name,
                setup.agent(),
                setup.decoding(),
                all.episodes(),
                all.success(),
                all.score(),
                all.meanActions(),
                categories.entrySet().stream()
                        .map(
                                entry ->
                                        new CategoryResult(
                                                entry.getKey(),
                                                entry.getValue().episodes(),
                                                entry.getValue().success(),
                                                entry.getValue().score(),
                                                entry.getValue().meanActions()))
                        .toList());
    }
}
