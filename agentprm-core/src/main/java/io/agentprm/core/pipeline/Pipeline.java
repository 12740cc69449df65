package io.agentprm.core.pipeline;

import io.agentprm.api.env.Task;
import io.agentprm.api.optim.RewardLearner;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.RunException;
import io.agentprm.core.config.ComponentConfig;
import io.agentprm.core.plugin.ComponentFactory;
import io.agentprm.core.rollout.RolloutConfig;
import io.agentprm.core.store.TrajectoryFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Algorithm 1 of arXiv 2502.10325 as stages of a run: pi-0 by supervised fine-tuning; then for i =
 * 1 … K rollouts of pi-(i-1), targets, reward model Q-(i-1), and pi-i by preference optimisation
 * against it with pi-(i-1) as the reference. Names follow the paper's tables: Q-i is trained on
 * rollouts of pi-i. What is finished is never done again, so a killed run goes on where it stopped.
 */
final class Pipeline {
    private final RunConfig config;
    private final Workshop workshop;
    private final Stages stages;
    private final RunContext context;
    private final ShardedRollouts rollouts;
    private final Training training;
    private final RandomSource random;
    private final Optional<RewardLearner> learner;
    private final Optional<ScoreScale> judgeScale;

    private Pipeline(
            RunConfig config,
            Workshop workshop,
            Stages stages,
            RunContext context,
            Optional<RewardLearner> learner,
            Optional<ScoreScale> judgeScale) {
        this.config = config;
        this.workshop = workshop;
        this.stages = stages;
        this.context = context;
        this.learner = learner;
        this.judgeScale = judgeScale;
        this.random = RandomSource.of(config.seed());
        this.rollouts =
                new ShardedRollouts(
                        workshop.environment(), stages, RolloutConfig.defaults(), config.workers());
        this.training = new Training(config, workshop, stages, random);
    }

    /** Does what is missing and returns where everything lies. */
    static RunResults run(
            RunConfig config, ComponentFactory factory, Stages stages, RunContext context) {
        try (Workshop workshop = Workshop.open(config, factory, context)) {
            Optional<RewardLearner> learner = Preflight.check(config, workshop, context);
            stages.record(config.engine(), workshop.engine());
            Workshop scoring =
                    workshop.scoring(learner.map(RewardLearner::scale).orElse(ScoreScale.LOGIT));
            return new Pipeline(
                            config,
                            scoring,
                            stages,
                            context,
                            learner,
                            Preflight.judgeScale(config, workshop, context))
                    .run();
        }
    }

    private RunResults run() {
        List<Iteration> iterations = new ArrayList<>();
        Start start = start();
        Path policy = start.policy().model();
        List<Judged> judged = new ArrayList<>();
        Agent first = Agent.bare("pi-0", policy, config.evaluation().temperature());
        judged.add(judge(first));
        if (config.loop().iterations() == 0) {
            outsideJudge().ifPresent(judge -> judged.addAll(choices(first, judge)));
        }
        Optional<Path> previousPrm = Optional.empty();
        List<Trajectory> earlier = new ArrayList<>();
        for (int i = 1; i <= config.loop().iterations(); i++) {
            String from = "pi-" + (i - 1);
            String q = "Q-" + (i - 1);
            List<Trajectory> played = rollouts(i, from, policy);
            RewardLearner.Supervision supervision = learner.orElseThrow().supervision();
            Training.RewardModelStage prm =
                    training.rewardModel(
                            i,
                            supervision,
                            policy,
                            previousPrm,
                            new Training.Experience(start.kept(), played, List.copyOf(earlier)));
            if (learnsFromDemonstrations()) {
                earlier.addAll(played);
            }
            Judge judge = outsideJudge().orElse(new Judge.Trained(q, prm.model()));
            if (i == 1) {
                judged.addAll(choices(first, judge));
            }
            Training.PolicyStage next = training.improve(i, policy, q, prm.model(), played);
            iterations.add(new Iteration(i, q, prm, next));
            policy = next.model();
            previousPrm = Optional.of(prm.model());
            boolean last = i == config.loop().iterations();
            if (last || config.evaluation().everyIteration()) {
                Agent agent = Agent.bare("pi-" + i, policy, config.evaluation().temperature());
                judged.add(judge(agent));
                judged.add(judge(bestOfN(agent, judge)));
                if (last) {
                    judged.addAll(controls(agent, judge));
                }
            }
        }
        return new RunResults(
                config,
                workshop.environment().info(),
                start.demonstrations(),
                start.policy().stage(),
                iterations,
                judged,
                learner.map(RewardLearner::scale).orElse(ScoreScale.LOGIT),
                judgeScale);
    }

    /**
     * The first policy.
     *
     * @param demonstrations from how many
     * @param kept the demonstrations, if the reward model learns from them too
     */
    private record Start(int demonstrations, List<Trajectory> kept, Training.PolicyStage policy) {}

    private Start start() {
        if (!stages.complete(StageNames.INITIAL_MODEL)) {
            // A checkpoint that is missing or broken is found before anything is played.
            workshop.models().parameters();
        }
        if (!stages.complete(StageNames.DEMONSTRATIONS)) {
            config.demonstrations()
                    .expert()
                    .ifPresent(expert -> Preflight.expert(expert, workshop, context));
        }
        List<Trajectory> demonstrations = demonstrations();
        return new Start(
                demonstrations.size(),
                learnsFromDemonstrations() ? demonstrations : List.of(),
                training.firstPolicy(demonstrations));
    }

    /** If not, episodes are dropped once used: all of them may be larger than the heap. */
    private boolean learnsFromDemonstrations() {
        return learner.map(RewardLearner::supervision)
                .filter(RewardLearner.Supervision.DEMONSTRATIONS::equals)
                .isPresent();
    }

    /**
     * One iteration's stages.
     *
     * @param number from 1
     * @param rewardModelId the reward model trained on the rollouts
     */
    record Iteration(
            int number,
            String rewardModelId,
            Training.RewardModelStage prm,
            Training.PolicyStage policy) {}

    /** An agent and the episodes that it was judged by. */
    record Judged(Agent agent, boolean scaling, List<Trajectory> episodes) {}

    private List<Trajectory> demonstrations() {
        DemonstrationConfig wanted = config.demonstrations();
        List<Trajectory> all =
                wanted.expert().map(expert -> played(expert, wanted)).orElseGet(this::recorded);
        List<Trajectory> kept =
                all.stream().filter(t -> !wanted.successfulOnly() || t.success()).toList();
        if (kept.isEmpty()) {
            throw new RunException(
                    "none of "
                            + all.size()
                            + " demonstrations succeeded; check demonstrations."
                            + (wanted.expert().isPresent() ? "expert" : "files")
                            + ", or set demonstrations.successful-only to false");
        }
        return kept;
    }

    private List<Trajectory> played(ComponentConfig expert, DemonstrationConfig wanted) {
        RandomSource stream = random.derive("demonstrations");
        return rollouts.collect(
                new ShardedRollouts.Job(
                        StageNames.DEMONSTRATIONS,
                        "demonstrations",
                        draw(wanted.split(), wanted.tasks(), stream.derive("tasks")),
                        wanted.episodes(),
                        64,
                        stream.derive("episodes")),
                () -> workshop.factory().policy(expert, workshop.components().build(), context));
    }

    /** A copy, so that the run stays whole when the files change. */
    private List<Trajectory> recorded() {
        Path stage =
                stages.once(
                        StageNames.DEMONSTRATIONS,
                        (directory, stageContext) ->
                                TrajectoryFiles.trajectories()
                                        .write(
                                                directory.resolve("recorded.jsonl.gz"),
                                                Preflight.recorded(
                                                        config, workshop.environment())));
        return StoredEpisodes.in(stage);
    }

    private List<Trajectory> rollouts(int iteration, String policyId, Path policy) {
        CollectionConfig wanted = config.loop().rollouts();
        RandomSource stream = random.derive("rollouts").derive(iteration);
        return rollouts.collect(
                new ShardedRollouts.Job(
                        StageNames.rollouts(iteration),
                        "rollouts of " + policyId,
                        draw(wanted.split(), wanted.tasks(), stream.derive("tasks")),
                        wanted.episodes(),
                        wanted.shardTasks(),
                        stream.derive("episodes")),
                () -> {
                    Agent agent = Agent.bare(policyId, policy, wanted.temperature());
                    return new ExploringPolicy(
                            workshop.agent(agent, context), wanted.exploration());
                });
    }

    private Optional<Judge> outsideJudge() {
        return config.evaluation().judge().map(Judge.Configured::new);
    }

    /** All ways of choosing among candidates of the first policy. */
    private List<Judged> choices(Agent first, Judge judge) {
        List<Judged> judged = new ArrayList<>();
        judged.add(judge(bestOfN(first, judge)));
        judged.addAll(controls(first, judge));
        judged.addAll(scaling(first, judge));
        return judged;
    }

    private Agent bestOfN(Agent agent, Judge judge) {
        ComponentConfig chooser = config.evaluation().bestOfN();
        return agent.choosing(chooser.name(), chooser, judge);
    }

    private List<Judged> controls(Agent agent, Judge judge) {
        return config.evaluation().waysOfControls().entrySet().stream()
                .map(way -> judge(agent.choosing(way.getKey(), way.getValue(), judge)))
                .toList();
    }

    private List<Judged> scaling(Agent agent, Judge judge) {
        List<Judged> judged = new ArrayList<>();
        int number = 0;
        for (ComponentConfig chooser : config.evaluation().scaling()) {
            String stage = StageNames.scaling(number++, chooser.name());
            List<Task> tasks = tasks();
            int limit = config.evaluation().scalingTasks();
            List<Task> some = limit == 0 ? tasks : tasks.subList(0, Math.min(limit, tasks.size()));
            Agent choosing = agent.choosing(chooser.name(), chooser, judge);
            judged.add(new Judged(choosing, true, play(stage, choosing, some)));
        }
        return judged;
    }

    private Judged judge(Agent agent) {
        String stage = StageNames.evaluation(agent.policyId(), agent.kind());
        return new Judged(agent, false, play(stage, agent, tasks()));
    }

    private List<Trajectory> play(String stage, Agent agent, List<Task> tasks) {
        return rollouts.collect(
                new ShardedRollouts.Job(
                        stage,
                        "evaluation of " + agent.title(),
                        tasks,
                        config.evaluation().episodes(),
                        ShardedRollouts.EVALUATION_SHARD,
                        TaskDraw.evaluationEpisodes(random)),
                () -> workshop.agent(agent, context));
    }

    private List<Task> tasks() {
        EvaluationConfig wanted = config.evaluation();
        return draw(wanted.split(), wanted.tasks(), TaskDraw.evaluation(random));
    }

    private List<Task> draw(String split, int number, RandomSource stream) {
        return TaskDraw.of(workshop.environment(), split, number, stream);
    }
}
