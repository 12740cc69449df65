package io.agentprm.core.pipeline;

import io.agentprm.api.lm.AgentModels;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.optim.LearningRequest;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.api.optim.RewardLearner;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoringRequest;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.target.TargetEstimator;
import io.agentprm.api.trajectory.State;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.RunException;
import io.agentprm.core.config.ConfigBinder;
import io.agentprm.core.context.ContextFactory;
import io.agentprm.core.eval.ScoreStatistics;
import io.agentprm.core.eval.TaskSplit;
import io.agentprm.core.files.DurableFiles;
import io.agentprm.core.plugin.ComponentFactory;
import io.agentprm.core.plugin.Plugins;
import io.agentprm.core.plugin.ProviderKind;
import io.agentprm.core.plugin.RunComponents;
import io.agentprm.core.report.Calibration;
import io.agentprm.core.report.FactSheet;
import io.agentprm.core.report.HtmlReport;
import io.agentprm.core.report.RunReport;
import io.agentprm.core.report.Words;
import io.agentprm.core.run.OwnDirectory;
import io.agentprm.core.run.RunDirectory;
import io.agentprm.core.run.RunInfo;
import io.agentprm.core.store.TrajectoryFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/**
 * Trains a process reward model from existing trajectories, without any environment, in a run
 * directory: the model in {@code prm/model}, {@code results.json} and {@code report.html}. What was
 * interrupted is continued.
 */
public final class PrmTraining {
    private static final String TRAJECTORIES = "trajectories.jsonl.gz";
    private static final Set<String> STAGES =
            Set.of("trajectories", "initial-model", "targets", "prm");
    private static final String LABELLED = "labelled.jsonl.gz";
    private static final String HELD_OUT = "held-out.jsonl.gz";
    private static final int BINS = 10;

    private final Plugins plugins;
    private final ContextFactory contexts;
    private final Map<String, String> versions;

    /**
     * Prepares trainings.
     *
     * @param versions versions that a directory records, by name
     */
    public PrmTraining(Plugins plugins, ContextFactory contexts, Map<String, String> versions) {
        this.plugins = plugins;
        this.contexts = contexts;
        this.versions = Collections.unmodifiableSortedMap(new TreeMap<>(versions));
    }

    /**
     * Trains what is missing and writes results and report.
     *
     * @throws RunException if the directory belongs to another training, or there is nothing to
     *     learn from
     */
    public PrmResults run(PrmTrainingConfig config, Path path) {
        ComponentFactory factory = new ComponentFactory(plugins);
        PrmTrainingConfig resolved = resolve(config, factory);
        RandomSource random = RandomSource.of(config.seed());
        OwnDirectory.require(path, STAGES::contains);
        try (RunDirectory directory =
                RunDirectory.open(
                        path,
                        ConfigBinder.strict().unbind(resolved),
                        config.seed(),
                        versions,
                        contexts.clock(),
                        DurableFiles.standard())) {
            RunContext context = contexts.plain(random.derive("components"));
            AgentModels models = factory.agentModels(resolved.models(), context);
            try (InferenceEngine engine = factory.engine(resolved.engine(), context)) {
                requireTraining(resolved, engine);
                Stages stages = new Stages(directory, contexts, random.derive("stages"));
                Work work = new Work(resolved, factory, stages, random, models, engine);
                work.requireLabels(context);
                stages.record(resolved.engine(), engine);
                return work.run(directory);
            }
        }
    }

    private static void requireTraining(PrmTrainingConfig config, InferenceEngine engine) {
        if (!engine.trains()) {
            throw new RunException(
                    "engine '"
                            + config.engine().name()
                            + "' runs models but does not train them; choose one that does, such"
                            + " as djl");
        }
    }

    private static PrmTrainingConfig resolve(PrmTrainingConfig c, ComponentFactory factory) {
        return new PrmTrainingConfig(
                c.name(),
                c.seed(),
                c.inputs(),
                factory.resolve(ProviderKind.INFERENCE_ENGINE, c.engine(), "engine"),
                factory.resolve(ProviderKind.AGENT_MODELS, c.models(), "models"),
                c.policy(),
                c.adamW(),
                factory.resolve(ProviderKind.TARGET_ESTIMATOR, c.targets(), "targets"),
                factory.resolve(ProviderKind.REWARD_LEARNER, c.prm(), "prm"),
                c.testShare());
    }

    /** One training with everything that it needs at hand. */
    private record Work(
            PrmTrainingConfig config,
            ComponentFactory factory,
            Stages stages,
            RandomSource random,
            AgentModels models,
            InferenceEngine engine) {
        void requireLabels(RunContext context) {
            if (learner(context).supervision() != RewardLearner.Supervision.LABELS) {
                throw new RunException(
                        "prm: '"
                                + config.prm().name()
                                + "' learns from demonstrations against rollouts and asks a policy,"
                                + " which trajectories alone are not; use it in a run, as loop.prm,"
                                + " or choose prm");
            }
        }

        PrmResults run(RunDirectory directory) {
            // A policy that is given comes first, so that a wrong one is found before anything is.
            Optional<Path> given = config.policy().map(policy -> initialModel(List.of()));
            // A copy, so that the directory stays whole when the inputs move.
            Path read =
                    stages.once(
                            "trajectories",
                            (filling, context) ->
                                    TrajectoryFiles.trajectories()
                                            .write(
                                                    filling.resolve(TRAJECTORIES),
                                                    TrajectoryInputs.read(config.inputs())));
            List<Trajectory> all = TrajectoryFiles.trajectories().read(read.resolve(TRAJECTORIES));
            Path start = given.orElseGet(() -> initialModel(all));
            Path targets =
                    stages.once("targets", (filling, context) -> label(filling, all, context));
            List<LabelledTrajectory> labelled =
                    TrajectoryFiles.labelled().read(targets.resolve(LABELLED));
            Path prm =
                    stages.once(
                            "prm",
                            (filling, context) ->
                                    learn(start.resolve("score"), labelled, filling, context));
            List<LabelledTrajectory> heldOut =
                    TrajectoryFiles.labelled().read(targets.resolve(HELD_OUT));
            return report(directory, all.size(), labelled, prm, heldOut);
        }

        private Path initialModel(List<Trajectory> all) {
            return stages.once("initial-model", (filling, context) -> start(filling, all));
        }

        private void start(Path filling, List<Trajectory> all) {
            Path policy = config.policy().orElse(filling.resolve("fresh"));
            if (config.policy().isEmpty()) {
                models.initialise(policy, all, random.derive("initial-model"));
            }
            models.addScoreHead(policy, filling.resolve("score"), random.derive("score-head"));
            DurableFiles.delete(filling.resolve("fresh"));
        }

        /** Both sides apart, so that no label knows of the other side. */
        private void label(Path filling, List<Trajectory> all, RunContext context) {
            TaskSplit.Sides<Trajectory> sides =
                    new TaskSplit(config.testShare(), random.derive("test"))
                            .divide(all, trajectory -> trajectory.task().id());
            TargetEstimator estimator = estimator(context);
            TrajectoryFiles.labelled()
                    .write(filling.resolve(LABELLED), estimator.estimate(sides.train()));
            TrajectoryFiles.labelled()
                    .write(
                            filling.resolve(HELD_OUT),
                            sides.test().isEmpty() ? List.of() : estimator.estimate(sides.test()));
        }

        private RewardLearner learner(RunContext context) {
            return factory.rewardLearner(
                    config.prm(), RunComponents.builder().engine(engine).build(), context);
        }

        private TargetEstimator estimator(RunContext context) {
            return factory.targetEstimator(
                    config.targets(), RunComponents.builder().engine(engine).build(), context);
        }

        private void learn(
                Path start, List<LabelledTrajectory> labelled, Path filling, RunContext context) {
            try (TrainableModel model = engine.loadTrainable(start, config.adamW().options())) {
                LearningRequest request =
                        LearningRequest.of(model, models.renderer(model), labelled, context);
                OptimizationReport report =
                        learner(context).learn(request.with(estimator(context)));
                model.save(filling.resolve("model"));
                ReportFiles.write(filling.resolve(ReportFiles.NAME), report);
            }
        }

        private PrmResults report(
                RunDirectory directory,
                int trajectories,
                List<LabelledTrajectory> labelled,
                Path prm,
                List<LabelledTrajectory> heldOut) {
            OptimizationReport training = ReportFiles.read(prm.resolve(ReportFiles.NAME));
            RunReport.Builder page =
                    RunReport.builder(config.name())
                            .summary(
                                    "A process reward model from "
                                            + Words.counted(
                                                    trajectories, "trajectory", "trajectories")
                                            + ", without an environment.");
            TrainingCharts.rewardModel(prm, config.name()).forEach(page::training);
            page.add(TrainingCharts.targets(config.name(), labelled));
            PrmScores scores = scores(prm.resolve("model"), heldOut);
            Optional<PrmResults.HeldOut> figures = Optional.empty();
            if (scores.size() == 0) {
                page.note("No task was kept back: nothing is known about unseen tasks.");
            } else {
                Calibration calibration =
                        ScoreStatistics.calibration(
                                config.name() + " on tasks kept back",
                                scores.probabilities(),
                                scores.labels(),
                                BINS);
                page.add(TrainingCharts.scores(config.name() + " on tasks kept back", scores));
                page.add(calibration);
                figures = Optional.of(scores.figures(calibration));
            }
            PrmResults results =
                    new PrmResults(
                            PrmResults.SCHEMA,
                            config.name(),
                            config.seed(),
                            trajectories,
                            labelled.stream()
                                    .mapToInt(
                                            one ->
                                                    (int)
                                                            one.labels().stream()
                                                                    .filter(Optional::isPresent)
                                                                    .count())
                                    .sum(),
                            training.steps(),
                            training.summary(),
                            figures);
            directory.write("results.json", ConfigBinder.strict().unbind(results).toJson());
            page.add(new FactSheet("Run", run(directory.info())));
            page.add(new FactSheet("Results", facts(results)));
            page.configuration(RunDirectory.config(directory.path()).toYaml());
            HtmlReport.write(page.build(), directory.path().resolve("report.html"));
            return results;
        }

        private static List<FactSheet.Fact> run(RunInfo info) {
            List<FactSheet.Fact> facts = new ArrayList<>();
            facts.add(new FactSheet.Fact("run", info.id()));
            facts.add(new FactSheet.Fact("seed", Long.toString(info.seed())));
            info.versions().forEach((name, value) -> facts.add(new FactSheet.Fact(name, value)));
            return facts;
        }

        private static List<FactSheet.Fact> facts(PrmResults results) {
            List<FactSheet.Fact> facts = new ArrayList<>();
            facts.add(new FactSheet.Fact("labelled turns", Integer.toString(results.turns())));
            facts.add(new FactSheet.Fact("optimiser steps", Long.toString(results.steps())));
            results.figures()
                    .forEach((name, value) -> facts.add(new FactSheet.Fact(name, text(value))));
            results.heldOut()
                    .ifPresent(
                            held -> {
                                facts.add(new FactSheet.Fact("held-out loss", text(held.loss())));
                                facts.add(
                                        new FactSheet.Fact(
                                                "held-out accuracy", text(held.accuracy())));
                                held.auc()
                                        .ifPresent(
                                                auc ->
                                                        facts.add(
                                                                new FactSheet.Fact(
                                                                        "held-out AUC",
                                                                        text(auc))));
                            });
            return facts;
        }

        private static String text(double value) {
            return String.format(Locale.ROOT, "%.4g", value);
        }

        private PrmScores scores(Path model, List<LabelledTrajectory> heldOut) {
            PrmScores scores = new PrmScores();
            if (heldOut.isEmpty()) {
                return scores;
            }
            try (RewardModel judge = models.rewardModel(config.name(), engine.load(model))) {
                for (LabelledTrajectory one : heldOut) {
                    score(judge, one, scores);
                    judge.release(one.trajectory().id());
                }
            }
            return scores;
        }

        private static void score(RewardModel judge, LabelledTrajectory one, PrmScores scores) {
            Trajectory trajectory = one.trajectory();
            List<State> states = trajectory.states();
            for (int turn = 0; turn < trajectory.length(); turn++) {
                if (one.labels().get(turn).isEmpty()) {
                    continue;
                }
                ScoringRequest request =
                        ScoringRequest.of(
                                states.get(turn),
                                trajectory.id(),
                                List.of(trajectory.turns().get(turn).decision()));
                double raw = judge.score(List.of(request)).get(0)[0];
                OptionalDouble probability = judge.probability(raw);
                scores.add(
                        raw,
                        probability.orElseThrow(
                                () ->
                                        new RunException(
                                                judge.id() + "'s scores are no probabilities")),
                        one.labels().get(turn).get().value(),
                        trajectory.success());
            }
        }
    }
}
