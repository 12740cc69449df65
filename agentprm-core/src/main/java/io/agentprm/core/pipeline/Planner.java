package io.agentprm.core.pipeline;

import io.agentprm.api.optim.RewardLearner;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.run.RunContext;
import io.agentprm.core.RunException;
import io.agentprm.core.config.ComponentConfig;
import io.agentprm.core.report.Words;
import io.agentprm.core.run.RunSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Says what {@link Pipeline} would do, in its order, and makes every component that can be made
 * before anything is trained, so that what is wrong with one shows now.
 */
final class Planner {
    private final RunConfig config;
    private final Workshop workshop;
    private final RunSnapshot directory;
    private final RunContext context;
    private final List<RunPlan.Stage> stages = new ArrayList<>();
    private long evaluations;

    private Planner(
            RunConfig config, Workshop workshop, RunSnapshot directory, RunContext context) {
        this.config = config;
        this.workshop = workshop;
        this.directory = directory;
        this.context = context;
    }

    /** The plan; nothing is played, trained or written. */
    static RunPlan plan(
            RunConfig config, Workshop workshop, RunSnapshot directory, RunContext context) {
        return new Planner(config, workshop, directory, context).plan();
    }

    private RunPlan plan() {
        Optional<RewardLearner> learner = Preflight.check(config, workshop, context);
        boolean outside = Preflight.judgeScale(config, workshop, context).isPresent();
        int demonstrations = demonstrations();
        add(StageNames.INITIAL_MODEL, config.models().name());
        add(StageNames.FIRST_POLICY, optimisation(config.sft(), demonstrations));
        judge("pi-0", Optional.empty());
        int iterations = config.loop().iterations();
        if (iterations == 0 && outside) {
            choices();
        }
        int rollouts = 0;
        for (int i = 1; i <= iterations; i++) {
            rollouts = rollouts(i);
            learning(i, learner.orElseThrow(), rollouts);
            if (i == 1) {
                choices();
            }
            add(StageNames.policy(i), optimisation(config.loop().optimizer(), rollouts));
            boolean last = i == iterations;
            if (last || config.evaluation().everyIteration()) {
                judge("pi-" + i, Optional.empty());
                judge("pi-" + i, Optional.of(config.evaluation().bestOfN()));
            }
            if (last) {
                controls("pi-" + i);
            }
        }
        return new RunPlan(
                config.name(),
                directory.path(),
                directory.exists(),
                workshop.environment().info(),
                engines(),
                config.models().name(),
                workshop.models().parameters(),
                demonstrations,
                (long) iterations * rollouts,
                evaluations,
                2 + 2 * iterations,
                stages);
    }

    private String engines() {
        String runs = EngineFacts.inWords(config.engine().name(), workshop.engine());
        return workshop.engine() instanceof TwoEngines two
                ? runs + "; trained by " + EngineFacts.inWords(two.trainer(), two.training())
                : runs;
    }

    private void add(String name, String work) {
        stages.add(new RunPlan.Stage(name, work, directory.progress(name)));
    }

    private int demonstrations() {
        DemonstrationConfig wanted = config.demonstrations();
        return wanted.expert()
                .map(expert -> demonstrations(expert, wanted))
                .orElseGet(this::recorded);
    }

    private int recorded() {
        int episodes = Preflight.recorded(config, workshop.environment()).size();
        add(
                StageNames.DEMONSTRATIONS,
                Words.counted(episodes, "episode") + " of " + config.demonstrations().files());
        return episodes;
    }

    private int demonstrations(ComponentConfig demonstrator, DemonstrationConfig wanted) {
        String expert = Preflight.expert(demonstrator, workshop, context);
        int tasks = Preflight.demonstrated(config, workshop);
        add(
                StageNames.DEMONSTRATIONS,
                episodes(tasks, wanted.split(), wanted.episodes()) + " of " + expert);
        return tasks * wanted.episodes();
    }

    private int rollouts(int iteration) {
        CollectionConfig wanted = config.loop().rollouts();
        int tasks = Preflight.played(config, workshop);
        add(
                StageNames.rollouts(iteration),
                episodes(tasks, wanted.split(), wanted.episodes())
                        + " of pi-"
                        + (iteration - 1)
                        + ", temperature "
                        + wanted.temperature());
        return tasks * wanted.episodes();
    }

    private void learning(int iteration, RewardLearner learner, int rollouts) {
        if (learner.supervision() == RewardLearner.Supervision.LABELS) {
            add(StageNames.targets(iteration), config.loop().targets().name());
        }
        add(
                StageNames.rewardModel(iteration),
                described(config.loop().prm(), learner.plan(rollouts)));
    }

    private String optimisation(ComponentConfig optimizer, int trajectories) {
        RewardModel later =
                new LazyRewardModel(
                        "a reward model",
                        () -> {
                            throw new NotTrainedYet();
                        });
        try {
            return described(
                    optimizer,
                    workshop.factory()
                            .policyOptimizer(
                                    optimizer,
                                    workshop.components().rewardModel(later).build(),
                                    context)
                            .plan(trajectories));
        } catch (NotTrainedYet e) {
            return optimizer.name();
        }
    }

    private static String described(ComponentConfig component, Optional<String> plan) {
        return component.name() + plan.map(words -> ": " + words).orElse("");
    }

    /** All ways of choosing among candidates of the first policy. */
    private void choices() {
        judge("pi-0", Optional.of(config.evaluation().bestOfN()));
        controls("pi-0");
        scaling();
    }

    private void controls(String policy) {
        config.evaluation()
                .waysOfControls()
                .forEach((way, chooser) -> judge(policy, way, Optional.of(chooser)));
    }

    private void judge(String policy, Optional<ComponentConfig> chooser) {
        judge(policy, chooser.map(ComponentConfig::name).orElse("policy"), chooser);
    }

    private void judge(String policy, String way, Optional<ComponentConfig> chooser) {
        play(StageNames.evaluation(policy, way), 0, chooser);
    }

    private void scaling() {
        int number = 0;
        for (ComponentConfig chooser : config.evaluation().scaling()) {
            play(
                    StageNames.scaling(number++, chooser.name()),
                    config.evaluation().scalingTasks(),
                    Optional.of(chooser));
        }
    }

    /**
     * Adds an evaluation.
     *
     * @param limit most tasks; 0 for all of the evaluation's
     */
    private void play(String stage, int limit, Optional<ComponentConfig> chooser) {
        EvaluationConfig wanted = config.evaluation();
        int all = Preflight.judged(config, workshop);
        int tasks = limit == 0 ? all : Math.min(limit, all);
        evaluations += (long) tasks * wanted.episodes();
        add(
                stage,
                episodes(tasks, wanted.split(), wanted.episodes())
                        + ", "
                        + chooser.map(ComponentConfig::inWords)
                                .orElse("temperature " + wanted.temperature()));
    }

    private static String episodes(int tasks, String split, int each) {
        String drawn = Words.counted(tasks, "task") + " of " + split;
        return each == 1
                ? drawn + ", 1 episode each"
                : drawn + ", " + each + " episodes each: " + (long) tasks * each;
    }

    /** A component asked a reward model that does not exist before training. */
    private static final class NotTrainedYet extends RunException {
        private static final long serialVersionUID = 1L;

        NotTrainedYet() {
            super("the reward model is not trained yet");
        }
    }
}
