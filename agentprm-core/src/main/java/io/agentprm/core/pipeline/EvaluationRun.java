package io.agentprm.core.pipeline;

import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.RunException;
import io.agentprm.core.config.ConfigBinder;
import io.agentprm.core.context.ContextFactory;
import io.agentprm.core.eval.EvaluationReport;
import io.agentprm.core.eval.EvaluationSetup;
import io.agentprm.core.eval.Measure;
import io.agentprm.core.eval.PairedBootstrap;
import io.agentprm.core.files.DurableFiles;
import io.agentprm.core.plugin.ComponentFactory;
import io.agentprm.core.plugin.Plugins;
import io.agentprm.core.plugin.ProviderKind;
import io.agentprm.core.rollout.RolloutConfig;
import io.agentprm.core.run.OwnDirectory;
import io.agentprm.core.run.RunDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Judges an agent in a directory of its own: {@code evaluation.json}, and its episodes in {@code
 * trajectories/}. What was interrupted is continued.
 */
public final class EvaluationRun {
    /** Name of the report's file. */
    public static final String REPORT = "evaluation.json";

    private static final String EPISODES = "trajectories";

    private final Plugins plugins;
    private final ContextFactory contexts;
    private final Map<String, String> versions;

    /**
     * Prepares evaluations.
     *
     * @param versions versions that a report records, by name
     */
    public EvaluationRun(Plugins plugins, ContextFactory contexts, Map<String, String> versions) {
        this.plugins = plugins;
        this.contexts = contexts;
        this.versions = Collections.unmodifiableSortedMap(new TreeMap<>(versions));
    }

    /**
     * A finished evaluation.
     *
     * @param episodes by task and attempt
     */
    public record Judged(EvaluationReport report, List<Trajectory> episodes) {
        public Judged {
            episodes = List.copyOf(episodes);
        }
    }

    /**
     * Plays what is missing and writes the report.
     *
     * @throws RunException if the directory belongs to another evaluation
     */
    public Judged run(EvaluationJob job, Path path) {
        ComponentFactory factory = new ComponentFactory(plugins);
        EvaluationJob resolved = resolve(job, factory);
        RandomSource random = RandomSource.of(job.seed());
        OwnDirectory.require(path, EPISODES::equals);
        try (RunDirectory directory =
                RunDirectory.open(
                        path,
                        ConfigBinder.strict().unbind(resolved),
                        EvaluationJob.HARMLESS,
                        job.seed(),
                        versions,
                        contexts.clock(),
                        DurableFiles.standard())) {
            RunContext context = contexts.plain(random.derive("components"));
            Stages stages = new Stages(directory, contexts, random.derive("stages"));
            try (Workshop workshop =
                    Workshop.open(
                            resolved.environment(),
                            resolved.engine(),
                            resolved.models(),
                            factory,
                            context)) {
                stages.record(resolved.engine(), workshop.engine());
                Workshop scoring = workshop.scoring(scale(resolved, workshop, context));
                List<Trajectory> episodes = play(resolved, scoring, stages, context, random);
                EvaluationReport report = report(resolved, workshop, episodes, directory);
                report.write(path.resolve(REPORT), DurableFiles.standard());
                return new Judged(report, episodes);
            }
        }
    }

    private static ScoreScale scale(EvaluationJob job, Workshop workshop, RunContext context) {
        return job.learner()
                .map(learner -> workshop.learner(learner, context).scale())
                .orElse(ScoreScale.LOGIT);
    }

    private static List<Trajectory> play(
            EvaluationJob job,
            Workshop workshop,
            Stages stages,
            RunContext context,
            RandomSource random) {
        Agent agent = job.agent();
        return new ShardedRollouts(
                        workshop.environment(), stages, RolloutConfig.defaults(), job.workers())
                .collect(
                        new ShardedRollouts.Job(
                                EPISODES,
                                "evaluation of " + agent.title(),
                                TaskDraw.of(
                                        workshop.environment(),
                                        job.split(),
                                        job.tasks(),
                                        TaskDraw.evaluation(random)),
                                job.episodes(),
                                ShardedRollouts.EVALUATION_SHARD,
                                TaskDraw.evaluationEpisodes(random)),
                        () -> workshop.agent(agent, context));
    }

    private static EvaluationReport report(
            EvaluationJob job,
            Workshop workshop,
            List<Trajectory> episodes,
            RunDirectory directory) {
        Agent agent = job.agent();
        return EvaluationReport.of(
                EvaluationSetup.of(
                        agent.title(),
                        Judgements.decoding(agent),
                        Judgements.candidates(agent).orElse(1),
                        workshop.environment().info(),
                        job.split(),
                        job.seed(),
                        directory.info().versions()),
                episodes,
                Measure.graded(episodes),
                0);
    }

    private static EvaluationJob resolve(EvaluationJob job, ComponentFactory factory) {
        return new EvaluationJob(
                factory.resolve(ProviderKind.ENVIRONMENT, job.environment(), "environment"),
                factory.resolve(ProviderKind.INFERENCE_ENGINE, job.engine(), "engine"),
                factory.resolve(ProviderKind.AGENT_MODELS, job.models(), "models"),
                job.policy(),
                job.policyModel(),
                job.temperature(),
                job.chooser().map(way -> factory.resolve(ProviderKind.POLICY, way, "chooser")),
                job.judge().map(by -> factory.resolve(ProviderKind.REWARD_MODEL, by, "judge")),
                job.rewardModel(),
                job.rewardModelDirectory(),
                job.learner()
                        .map(
                                learner ->
                                        factory.resolve(
                                                ProviderKind.REWARD_LEARNER, learner, "learner")),
                job.split(),
                job.tasks(),
                job.episodes(),
                job.seed(),
                job.workers());
    }

    /**
     * Reads a finished evaluation.
     *
     * @throws RunException if the directory holds none
     */
    public static Judged read(Path path) {
        Path report = path.resolve(REPORT);
        if (Files.notExists(report)) {
            throw new RunException(
                    path + " holds no finished evaluation: its " + REPORT + " is missing");
        }
        return new Judged(EvaluationReport.read(report), StoredEpisodes.in(path.resolve(EPISODES)));
    }

    /**
     * Difference in a measure, first minus second, paired by task and seed.
     *
     * @throws RunException if they do not consist of the same pairs
     */
    public static PairedBootstrap.Result compare(Judged first, Judged second, Measure measure) {
        return PairedBootstrap.difference(
                first.episodes(),
                second.episodes(),
                measure,
                RandomSource.of(first.report().setup().seed()).derive("bootstrap"));
    }
}
