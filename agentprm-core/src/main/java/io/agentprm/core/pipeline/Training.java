package io.agentprm.core.pipeline;

import io.agentprm.api.lm.LanguagePolicy;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainablePolicy;
import io.agentprm.api.optim.Imitation;
import io.agentprm.api.optim.LearningRequest;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.api.optim.OptimizationRequest;
import io.agentprm.api.optim.RewardLearner;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.target.TargetEstimator;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.files.DurableFiles;
import io.agentprm.core.store.TrajectoryFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The stages that change weights, and the labels they learn from. */
final class Training {
    private static final String MODEL = "model";
    private static final String LABELLED = "labelled.jsonl.gz";

    private final RunConfig config;
    private final Workshop workshop;
    private final Stages stages;
    private final RandomSource random;

    Training(RunConfig config, Workshop workshop, Stages stages, RandomSource random) {
        this.config = config;
        this.workshop = workshop;
        this.stages = stages;
        this.random = random;
    }

    /** A finished policy stage. */
    record PolicyStage(Path stage) {
        Path model() {
            return stage.resolve(MODEL);
        }
    }

    /**
     * A finished reward-model stage.
     *
     * @param targets stage of the labels that it learned from; empty if there are none
     */
    record RewardModelStage(Path stage, Optional<Path> targets) {
        Path model() {
            return stage.resolve(MODEL);
        }

        /**
         * Read anew each time: the rollouts of all iterations together may be larger than the heap.
         */
        Optional<List<LabelledTrajectory>> labelled() {
            return targets.map(stage -> TrajectoryFiles.labelled().read(stage.resolve(LABELLED)));
        }
    }

    /**
     * What there is to learn from when a reward model is due.
     *
     * @param rollouts of the current policy
     * @param earlier of the policies before it; empty for learners that learn from labels
     */
    record Experience(
            List<Trajectory> demonstrations, List<Trajectory> rollouts, List<Trajectory> earlier) {
        Imitation imitation(LanguagePolicy policy) {
            return new Imitation(
                    demonstrations,
                    Stream.concat(earlier.stream(), rollouts.stream()).toList(),
                    policy);
        }
    }

    PolicyStage firstPolicy(List<Trajectory> demonstrations) {
        Path start =
                stages.once(
                        StageNames.INITIAL_MODEL,
                        (directory, context) ->
                                workshop.models()
                                        .initialise(
                                                directory.resolve(MODEL),
                                                demonstrations,
                                                random.derive("initial-model")));
        Path stage =
                stages.once(
                        StageNames.FIRST_POLICY,
                        (directory, context) -> {
                            try (TrainablePolicy policy = trainable("pi-0", start.resolve(MODEL))) {
                                OptimizationReport report =
                                        workshop.factory()
                                                .policyOptimizer(
                                                        config.sft(),
                                                        workshop.components().build(),
                                                        context)
                                                .optimize(
                                                        OptimizationRequest.of(
                                                                policy, demonstrations, context));
                                keep(policy.model(), report, directory);
                            }
                        });
        return new PolicyStage(stage);
    }

    RewardModelStage rewardModel(
            int iteration,
            RewardLearner.Supervision supervision,
            Path policy,
            Optional<Path> previous,
            Experience experience) {
        Optional<Path> targets =
                supervision == RewardLearner.Supervision.LABELS
                        ? Optional.of(targets(iteration, experience.rollouts()))
                        : Optional.empty();
        Path stage =
                stages.once(
                        StageNames.rewardModel(iteration),
                        (directory, context) -> {
                            if (targets.isPresent()) {
                                learn(
                                        iteration,
                                        policy,
                                        previous,
                                        labels(targets.get(), context),
                                        directory,
                                        context);
                            } else {
                                imitate(
                                        iteration,
                                        policy,
                                        previous,
                                        experience,
                                        directory,
                                        context);
                            }
                        });
        return new RewardModelStage(stage, targets);
    }

    private Path targets(int iteration, List<Trajectory> rollouts) {
        return stages.once(
                StageNames.targets(iteration),
                (directory, context) ->
                        TrajectoryFiles.labelled()
                                .write(
                                        directory.resolve(LABELLED),
                                        estimator(context).estimate(rollouts)));
    }

    private TargetEstimator estimator(RunContext context) {
        return workshop.factory()
                .targetEstimator(config.loop().targets(), workshop.components().build(), context);
    }

    /** What a learner is asked, once its model is there. */
    @FunctionalInterface
    private interface Asking {
        LearningRequest about(TrainableModel model, StateRenderer renderer);
    }

    private Asking labels(Path targets, RunContext context) {
        List<LabelledTrajectory> labelled =
                TrajectoryFiles.labelled().read(targets.resolve(LABELLED));
        return (model, renderer) ->
                LearningRequest.of(model, renderer, labelled, context).with(estimator(context));
    }

    private void imitate(
            int iteration,
            Path policy,
            Optional<Path> previous,
            Experience experience,
            Path directory,
            RunContext context) {
        try (LanguagePolicy current = workshop.policy("pi-" + (iteration - 1), policy)) {
            Imitation imitation = experience.imitation(current);
            learn(
                    iteration,
                    policy,
                    previous,
                    (model, renderer) -> LearningRequest.of(model, renderer, imitation, context),
                    directory,
                    context);
        }
    }

    private void learn(
            int iteration,
            Path policy,
            Optional<Path> previous,
            Asking asking,
            Path directory,
            RunContext context) {
        Path fresh = directory.resolve("start");
        boolean continues =
                previous.isPresent()
                        && config.loop().prmStart() == LoopConfig.RewardModelStart.PREVIOUS;
        if (!continues) {
            workshop.models()
                    .addScoreHead(policy, fresh, random.derive("score-head").derive(iteration));
        }
        Path start = continues ? previous.get() : fresh;
        try (TrainableModel model =
                workshop.engine().loadTrainable(start, config.adamW().options())) {
            OptimizationReport report =
                    workshop.learner(config.loop().prm(), context)
                            .learn(asking.about(model, workshop.models().renderer(model)));
            keep(model, report, directory);
        }
        DurableFiles.delete(fresh);
    }

    PolicyStage improve(
            int iteration,
            Path policy,
            String rewardModelId,
            Path rewardModel,
            List<Trajectory> rollouts) {
        Path stage =
                stages.once(
                        StageNames.policy(iteration),
                        (directory, context) -> {
                            try (TrainablePolicy improving = trainable("pi-" + iteration, policy);
                                    RewardModel judge =
                                            workshop.rewardModel(rewardModelId, rewardModel)) {
                                OptimizationReport report =
                                        workshop.factory()
                                                .policyOptimizer(
                                                        config.loop().optimizer(),
                                                        workshop.components()
                                                                .rewardModel(judge)
                                                                .build(),
                                                        context)
                                                .optimize(
                                                        OptimizationRequest.of(
                                                                        improving, rollouts,
                                                                        context)
                                                                .with(judge));
                                keep(improving.model(), report, directory);
                            }
                        });
        return new PolicyStage(stage);
    }

    private TrainablePolicy trainable(String id, Path model) {
        TrainableModel loaded = workshop.engine().loadTrainable(model, config.adamW().options());
        try {
            return workshop.models().trainablePolicy(id, loaded);
        } catch (RuntimeException e) {
            loaded.close();
            throw e;
        }
    }

    private static void keep(TrainableModel model, OptimizationReport report, Path directory) {
        model.save(directory.resolve(MODEL));
        ReportFiles.write(directory.resolve(ReportFiles.NAME), report);
    }
}
