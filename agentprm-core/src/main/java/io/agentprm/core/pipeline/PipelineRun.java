package io.agentprm.core.pipeline;

import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.core.config.ComponentConfig;
import io.agentprm.core.config.ConfigBinder;
import io.agentprm.core.context.ContextFactory;
import io.agentprm.core.files.DurableFiles;
import io.agentprm.core.plugin.ComponentFactory;
import io.agentprm.core.plugin.Plugins;
import io.agentprm.core.plugin.ProviderKind;
import io.agentprm.core.report.HtmlReport;
import io.agentprm.core.report.RunReport;
import io.agentprm.core.run.OwnDirectory;
import io.agentprm.core.run.RunDirectory;
import io.agentprm.core.run.RunSnapshot;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Runs a configuration in a run directory, or goes on with what is missing there. */
public final class PipelineRun {
    private final Plugins plugins;
    private final ContextFactory contexts;
    private final Map<String, String> versions;

    /**
     * Prepares runs.
     *
     * @param versions versions that a run records, by name
     */
    public PipelineRun(Plugins plugins, ContextFactory contexts, Map<String, String> versions) {
        this.plugins = plugins;
        this.contexts = contexts;
        // Sorted: what is written must not depend on the order of a hash map.
        this.versions = Collections.unmodifiableSortedMap(new TreeMap<>(versions));
    }

    /**
     * Runs to the end and writes {@code report.html} and {@code results.json}.
     *
     * @throws io.agentprm.api.run.CancelledException if stopped at a safe point; run again to go on
     */
    public RunReport run(RunConfig config, Path path) {
        ComponentFactory factory = new ComponentFactory(plugins);
        RunConfig resolved = resolve(config, factory);
        RandomSource random = RandomSource.of(config.seed());
        OwnDirectory.require(path, StageNames::top);
        try (RunDirectory directory =
                RunDirectory.open(
                        path,
                        ConfigBinder.strict().unbind(resolved),
                        RunConfig.HARMLESS,
                        config.seed(),
                        versions,
                        contexts.clock(),
                        DurableFiles.standard())) {
            Stages stages = new Stages(directory, contexts, random.derive("stages"));
            RunResults results =
                    Pipeline.run(
                            resolved, factory, stages, contexts.plain(random.derive("components")));
            RunReport report =
                    ReportBuilder.build(results, directory.info(), RunDirectory.config(path));
            ResultsFile.of(results, directory.info()).write(path.resolve(ResultsFile.NAME));
            HtmlReport.write(report, path.resolve("report.html"));
            return report;
        }
    }

    /**
     * What {@link #run} would do there, and how far it has come; nothing is written.
     *
     * @throws io.agentprm.core.RunException if the run would be refused, or a component cannot be
     *     made
     */
    public RunPlan plan(RunConfig config, Path path) {
        ComponentFactory factory = new ComponentFactory(plugins);
        RunConfig resolved = resolve(config, factory);
        OwnDirectory.require(path, StageNames::top);
        RunSnapshot directory =
                RunSnapshot.of(path, ConfigBinder.strict().unbind(resolved), RunConfig.HARMLESS);
        RunContext context = contexts.plain(RandomSource.of(config.seed()).derive("components"));
        try (Workshop workshop = Workshop.open(resolved, factory, context)) {
            return Planner.plan(resolved, workshop, directory, context);
        }
    }

    /** Every component's defaults written out, so that the run directory says all. */
    private static RunConfig resolve(RunConfig c, ComponentFactory factory) {
        DemonstrationConfig d = c.demonstrations();
        LoopConfig l = c.loop();
        EvaluationConfig v = c.evaluation();
        return new RunConfig(
                c.name(),
                c.seed(),
                factory.resolve(ProviderKind.ENVIRONMENT, c.environment(), "environment"),
                factory.resolve(ProviderKind.INFERENCE_ENGINE, c.engine(), "engine"),
                c.trainer().map(t -> factory.resolve(ProviderKind.INFERENCE_ENGINE, t, "trainer")),
                factory.resolve(ProviderKind.AGENT_MODELS, c.models(), "models"),
                c.adamW(),
                c.workers(),
                new DemonstrationConfig(
                        d.expert()
                                .map(
                                        e ->
                                                factory.resolve(
                                                        ProviderKind.POLICY,
                                                        e,
                                                        "demonstrations.expert")),
                        d.files(),
                        d.split(),
                        d.tasks(),
                        d.episodes(),
                        d.successfulOnly()),
                factory.resolve(ProviderKind.POLICY_OPTIMIZER, c.sft(), "sft"),
                new LoopConfig(
                        l.iterations(),
                        l.rollouts(),
                        factory.resolve(ProviderKind.TARGET_ESTIMATOR, l.targets(), "loop.targets"),
                        factory.resolve(ProviderKind.REWARD_LEARNER, l.prm(), "loop.prm"),
                        l.prmStart(),
                        factory.resolve(
                                ProviderKind.POLICY_OPTIMIZER, l.optimizer(), "loop.optimizer")),
                new EvaluationConfig(
                        v.split(),
                        v.tasks(),
                        v.episodes(),
                        v.temperature(),
                        factory.resolve(ProviderKind.POLICY, v.bestOfN(), "evaluation.best-of-n"),
                        v.judge()
                                .map(
                                        j ->
                                                factory.resolve(
                                                        ProviderKind.REWARD_MODEL,
                                                        j,
                                                        "evaluation.judge")),
                        choosers(v.controls(), "evaluation.controls", factory),
                        choosers(v.scaling(), "evaluation.scaling", factory),
                        v.scalingTasks(),
                        v.everyIteration()));
    }

    private static List<ComponentConfig> choosers(
            List<ComponentConfig> choosers, String path, ComponentFactory factory) {
        return IntStream.range(0, choosers.size())
                .mapToObj(
                        i ->
                                factory.resolve(
                                        ProviderKind.POLICY, choosers.get(i), path + "[" + i + "]"))
                .toList();
    }
}
