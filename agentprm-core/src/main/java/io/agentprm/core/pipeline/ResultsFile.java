package io.agentprm.core.pipeline;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.core.RunException;
import io.agentprm.core.config.ConfigBinder;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.eval.EvaluationReport;
import io.agentprm.core.eval.Tally;
import io.agentprm.core.files.DurableFiles;
import io.agentprm.core.report.Comparison;
import io.agentprm.core.run.RunInfo;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The results of a run for scripts: {@code results.json} beside the report. Holds no time and no
 * path, so that equal runs write equal bytes.
 */
public record ResultsFile(
        @Description("Schema of the file.") String schema,
        @Description("Name of the run.") String name,
        @Description("Root seed.") long seed,
        @Description("SHA-256 of the configuration as resolved, without keys that change nothing.")
                String configuration,
        @Description("Where the agents acted.") Place environment,
        @Description("Split of the evaluation.") String split,
        @Description("Versions by name.") Map<String, String> versions,
        @Description("Agents in the order they were judged.") List<AgentResult> agents,
        @Description("Differences in success and score, paired by task and seed.")
                List<Comparison> comparisons,
        @Description("Figures of training, by model.") Map<String, TrainingResult> training) {
    /** Usual name of the file. */
    public static final String NAME = "results.json";

    private static final String SCHEMA = "agentprm.results/1";

    /** An environment's identity. */
    public record Place(
            @Description("Name.") String name,
            @Description("Version.") String version,
            @Description("Hash of everything that its tasks depend on.") String contentHash,
            @Description("Step limit of an episode; 0 if there is none.") int stepLimit) {}

    /** One agent on the evaluation's episodes. */
    public record AgentResult(
            @Description("Who decided.") String agent,
            @Description("The way of deciding, the same in every iteration.") String kind,
            @Description("Its policy.") String policy,
            @Description("Its reward model; absent for a bare policy.")
                    Optional<String> rewardModel,
            @Description("How replies were drawn, in words.") String decoding,
            @Description("Candidates per turn.") int candidates,
            @Description("Whether it belongs to the scaling figure.") @Default("false")
                    boolean scaling,
            @Description("Number of tasks.") int tasks,
            @Description("Figures of all episodes.") Tally all,
            @Description("Figures by category of task.") Map<String, Tally> categories) {}

    /** What training a model came to. */
    public record TrainingResult(
            @Description("Optimiser steps.") long steps,
            @Description("Latest figures by name.") Map<String, Double> figures) {}

    static ResultsFile of(RunResults results, RunInfo info) {
        Judgements judgements = new Judgements(results, info);
        List<AgentResult> agents = new ArrayList<>();
        for (Pipeline.Judged judged : results.judged()) {
            agents.add(agent(judged, judgements.evaluation(judged)));
        }
        Map<String, TrainingResult> training = new TreeMap<>();
        training.put("pi-0", training(results.firstPolicy()));
        for (Pipeline.Iteration iteration : results.iterations()) {
            training.put(iteration.rewardModelId(), training(iteration.prm().stage()));
            training.put("pi-" + iteration.number(), training(iteration.policy().stage()));
        }
        return new ResultsFile(
                SCHEMA,
                results.config().name(),
                info.seed(),
                hash(results.config()),
                new Place(
                        results.environment().name(),
                        results.environment().version(),
                        results.environment().contentHash(),
                        results.environment().stepLimit()),
                results.config().evaluation().split(),
                info.versions(),
                agents,
                judgements.comparisons(),
                training);
    }

    private static AgentResult agent(Pipeline.Judged judged, EvaluationReport report) {
        Agent agent = judged.agent();
        return new AgentResult(
                agent.title(),
                agent.kind(),
                agent.policyId(),
                agent.judge().map(Judge::id),
                report.setup().decoding(),
                report.setup().samples(),
                judged.scaling(),
                report.tasks(),
                report.all(),
                report.categories());
    }

    private static TrainingResult training(Path stage) {
        OptimizationReport report = ReportFiles.read(stage.resolve(ReportFiles.NAME));
        return new TrainingResult(report.steps(), report.summary());
    }

    private static String hash(RunConfig config) {
        ConfigNode decisive =
                ConfigBinder.strict().unbind(config) instanceof ConfigNode.Entries entries
                        ? entries.without(RunConfig.HARMLESS)
                        : ConfigBinder.strict().unbind(config);
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(decisive.toYaml().getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new RunException("this JDK lacks SHA-256", e);
        }
    }

    /**
     * Reads a file; fields of later versions of the same schema are ignored.
     *
     * @throws RunException if it is not one
     */
    public static ResultsFile read(Path file) {
        ResultsFile results =
                ConfigBinder.tolerant().bind(ConfigNode.read(file), ResultsFile.class);
        if (!results.schema().equals(SCHEMA)) {
            throw new RunException(
                    file + " holds " + results.schema() + ", but " + SCHEMA + " is expected");
        }
        return results;
    }

    void write(Path file) {
        DurableFiles.standard().write(file, ConfigBinder.strict().unbind(this).toJson());
    }
}
