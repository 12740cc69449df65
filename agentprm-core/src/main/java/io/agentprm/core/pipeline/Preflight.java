package io.agentprm.core.pipeline;

import io.agentprm.api.AgentPrmException;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.Task;
import io.agentprm.api.optim.RewardLearner;
import io.agentprm.api.plugin.Components;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.RunException;
import io.agentprm.core.config.ComponentConfig;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What would otherwise fail hours after the start. */
final class Preflight {
    private Preflight() {}

    /**
     * Looks at everything that costs nothing.
     *
     * @return the learner of reward models, if any are learned
     * @throws RunException if the engine does not train, or a split lacks the tasks that are asked
     *     for, or it or one of its tasks is trained on and judged on, or the estimator or learner
     *     cannot be made
     */
    static Optional<RewardLearner> check(RunConfig config, Workshop workshop, RunContext context) {
        requireUnseen(config, workshop);
        if (!workshop.engine().trains()) {
            throw new RunException(
                    "engine '"
                            + config.trainer().orElse(config.engine()).name()
                            + "' runs models but does not train them; choose a trainer that"
                            + " does");
        }
        config.demonstrations().expert().ifPresent(expert -> demonstrated(config, workshop));
        played(config, workshop);
        judged(config, workshop);
        return config.loop().iterations() > 0
                ? Optional.of(learner(config, workshop, context))
                : Optional.empty();
    }

    private static void requireUnseen(RunConfig config, Workshop workshop) {
        String judged = config.evaluation().split();
        boolean demonstrated = config.demonstrations().trainsOn(judged);
        boolean played =
                config.loop().iterations() > 0 && judged.equals(config.loop().rollouts().split());
        if (demonstrated || played) {
            throw new RunException(
                    "evaluation.split is '"
                            + judged
                            + "', which "
                            + (demonstrated ? "demonstrations.split" : "loop.rollouts.split")
                            + " trains on; judge on tasks that are not trained on: set"
                            + " evaluation.split to another of "
                            + workshop.environment().splits());
        }
        requireOtherTasks(config, workshop.environment());
    }

    /** Ids are unique in an environment; two splits that share one share the task. */
    static void requireOtherTasks(RunConfig config, Environment environment) {
        Set<String> trained = new TreeSet<>();
        if (config.demonstrations().expert().isPresent()) {
            trained.addAll(ids(environment, config.demonstrations().split()));
        }
        if (config.loop().iterations() > 0) {
            trained.addAll(ids(environment, config.loop().rollouts().split()));
        }
        Set<String> judged = ids(environment, config.evaluation().split());
        judged.retainAll(trained);
        if (!judged.isEmpty()) {
            throw new RunException(
                    judged.size()
                            + " tasks of evaluation.split '"
                            + config.evaluation().split()
                            + "' are trained on too, such as '"
                            + judged.iterator().next()
                            + "'; the environment must give the tasks of its splits ids of their"
                            + " own");
        }
    }

    /**
     * Reads the demonstrations that are given as files.
     *
     * @throws RunException if one is of a task that is judged on
     */
    static List<Trajectory> recorded(RunConfig config, Environment environment) {
        List<Trajectory> recorded = TrajectoryInputs.read(config.demonstrations().files());
        Set<String> judged = ids(environment, config.evaluation().split());
        for (Trajectory one : recorded) {
            if (judged.contains(one.task().id())) {
                throw new RunException(
                        "demonstrations.files hold an episode of task '"
                                + one.task().id()
                                + "', which is of evaluation.split '"
                                + config.evaluation().split()
                                + "'; judge on another split, or demonstrate other tasks");
            }
        }
        return recorded;
    }

    private static Set<String> ids(Environment environment, String split) {
        return TaskDraw.of(environment, split, 0, RandomSource.of(0)).stream()
                .map(Task::id)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Estimator and learner are made as they will be, with what a run has at that point. */
    private static RewardLearner learner(RunConfig config, Workshop workshop, RunContext context) {
        LoopConfig loop = config.loop();
        at(
                "loop.targets",
                loop.targets(),
                () ->
                        workshop.factory()
                                .targetEstimator(
                                        loop.targets(), workshop.components().build(), context));
        return at("loop.prm", loop.prm(), () -> workshop.learner(loop.prm(), context));
    }

    /**
     * Who demonstrates; made as it will be, and closed again.
     *
     * @throws RunException if it cannot be made
     */
    static String expert(ComponentConfig expert, Workshop workshop, RunContext context) {
        Components given = workshop.components().build();
        return at(
                "demonstrations.expert",
                expert,
                () -> {
                    try (Policy made = workshop.factory().policy(expert, given, context)) {
                        return made.id();
                    }
                });
    }

    /**
     * What the scores of {@code evaluation.judge} mean, if there is one; it is made to be asked.
     *
     * @throws RunException if it cannot be made
     */
    static Optional<ScoreScale> judgeScale(
            RunConfig config, Workshop workshop, RunContext context) {
        return config.evaluation()
                .judge()
                .map(
                        judge ->
                                at(
                                        "evaluation.judge",
                                        judge,
                                        () -> {
                                            try (RewardModel made =
                                                    workshop.rewardModel(judge, context)) {
                                                return made.scale();
                                            }
                                        }));
    }

    private static <T> T at(String key, ComponentConfig component, Supplier<T> making) {
        try {
            return making.get();
        } catch (AgentPrmException e) {
            throw new RunException(key + " (" + component.name() + "): " + e.getMessage(), e);
        }
    }

    /** Number of tasks that an expert demonstrates. */
    static int demonstrated(RunConfig config, Workshop workshop) {
        DemonstrationConfig wanted = config.demonstrations();
        return drawn(workshop, wanted.split(), wanted.tasks());
    }

    /** Number of tasks of an iteration's rollouts. */
    static int played(RunConfig config, Workshop workshop) {
        CollectionConfig wanted = config.loop().rollouts();
        return drawn(workshop, wanted.split(), wanted.tasks());
    }

    /** Number of tasks of an evaluation. */
    static int judged(RunConfig config, Workshop workshop) {
        EvaluationConfig wanted = config.evaluation();
        return drawn(workshop, wanted.split(), wanted.tasks());
    }

    private static int drawn(Workshop workshop, String split, int number) {
        List<Task> tasks = TaskDraw.of(workshop.environment(), split, number, RandomSource.of(0));
        return tasks.size();
    }
}
