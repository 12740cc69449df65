package io.agentprm.examples;

import io.agentprm.algos.optim.OnlineDpoConfig;
import io.agentprm.algos.optim.OnlineDpoProvider;
import io.agentprm.algos.optim.SftConfig;
import io.agentprm.algos.optim.SftProvider;
import io.agentprm.algos.policy.BestOfNProvider;
import io.agentprm.algos.policy.ChoiceConfig;
import io.agentprm.algos.reward.PrmConfig;
import io.agentprm.algos.reward.PrmProvider;
import io.agentprm.algos.target.McConfig;
import io.agentprm.algos.target.McProvider;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.Task;
import io.agentprm.api.lm.AgentModels;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainablePolicy;
import io.agentprm.api.optim.OptimizationRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.rollout.RolloutPlan;
import io.agentprm.api.rollout.Rollouts;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.config.ComponentConfig;
import io.agentprm.core.config.ConfigBinder;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.pipeline.RunConfig;
import io.agentprm.core.plugin.ComponentFactory;
import io.agentprm.core.plugin.Plugins;
import io.agentprm.core.plugin.RunComponents;
import io.agentprm.core.rollout.RolloutConfig;
import io.agentprm.core.rollout.RolloutRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * One iteration of the loop, composed in code: demonstrations, supervised start, rollouts, Monte
 * Carlo targets, process reward model, online DPO, Best-of-N. Every part can be replaced by one of
 * your own that implements the same interface. Environment and models are those of the quickstart;
 * it is run from the directory of the repository.
 */
public final class ComposeInCode {
    private static final Path SETTINGS = Path.of("agentprm-examples/quickstart/quickstart.yaml");
    private static final OptimizerOptions ADAM_W = OptimizerOptions.adamW(0.01);

    private final Environment games;
    private final InferenceEngine engine;
    private final AgentModels models;
    private final ComponentFactory factory;
    private final RunContext context;
    private final Rollouts rollouts;
    private final RunComponents parts;
    private final Path directory;

    private ComposeInCode(
            Environment games,
            InferenceEngine engine,
            AgentModels models,
            ComponentFactory factory,
            RunContext context,
            Path directory) {
        this.games = games;
        this.engine = engine;
        this.models = models;
        this.factory = factory;
        this.context = context;
        this.directory = directory;
        this.rollouts = new RolloutRunner(games, RolloutConfig.defaults(), context);
        this.parts = RunComponents.builder().environment(games).engine(engine).build();
    }

    /**
     * Runs the example.
     *
     * @param arguments directory for the models; a temporary one if none is given
     */
    public static void main(String[] arguments) throws IOException {
        Path directory =
                arguments.length > 0
                        ? Files.createDirectories(Path.of(arguments[0]))
                        : Files.createTempDirectory("compose-in-code");
        System.out.println("Models go to " + directory);
        RunContext context = RunContext.ofSeed(1);
        // Components that are found by name take their settings as YAML, here those of a file ...
        RunConfig settings = ConfigBinder.strict().bind(ConfigNode.read(SETTINGS), RunConfig.class);
        ComponentFactory factory = new ComponentFactory(Plugins.discover());
        AgentModels models = factory.agentModels(settings.models(), context);
        // The engine that trains runs models as well; one that only runs them would be faster
        // there.
        ComponentConfig trainer = settings.trainer().orElse(settings.engine());
        try (Environment games = factory.environment(settings.environment(), context);
                InferenceEngine engine = factory.engine(trainer, context)) {
            new ComposeInCode(games, engine, models, factory, context, directory).run();
        }
    }

    private void run() {
        List<Trajectory> demonstrations = demonstrations();
        Path first = directory.resolve("pi-0");
        imitate(demonstrations, first);
        report("pi-0", first);

        List<Trajectory> played;
        try (Policy policy = models.policy("pi-0", engine.load(first))) {
            played =
                    rollouts.collect(
                            policy,
                            RolloutPlan.of(
                                    some("train", 400), 8, context.random().derive("rollouts")));
        }
        Path judge = directory.resolve("Q-0");
        learnValues(played, first, judge);
        reportBestOfN(first, judge);

        Path second = directory.resolve("pi-1");
        improve(played, first, judge, second);
        report("pi-1", second);
    }

    private List<Trajectory> demonstrations() {
        try (Policy expert =
                factory.policy(
                        component("alfworld-expert", "{order: random, noise: 0.05}"),
                        parts,
                        context)) {
            RolloutPlan plan =
                    RolloutPlan.of(some("train", 3000), 1, context.random().derive("experts"));
            return rollouts.collect(expert, plan);
        }
    }

    /** Makes a new model and trains it on demonstrations. */
    private void imitate(List<Trajectory> demonstrations, Path target) {
        Path start = directory.resolve("start");
        models.initialise(start, demonstrations, context.random().derive("weights"));
        // ... and those made in code through builders.
        SftConfig sft = SftConfig.builder().batchTrajectories(4).learningRate(2e-3).build();
        try (TrainablePolicy policy =
                models.trainablePolicy("pi-0", engine.loadTrainable(start, ADAM_W))) {
            new SftProvider()
                    .create(sft, parts, context)
                    .optimize(OptimizationRequest.of(policy, demonstrations, context));
            policy.model().save(target);
        }
    }

    /** Labels every turn by the mean return of its visits and trains a reward model on that. */
    private void learnValues(List<Trajectory> played, Path policy, Path target) {
        List<LabelledTrajectory> labelled =
                new McProvider()
                        .create(McConfig.defaults().withGamma(0.95), parts, context)
                        .estimate(played);
        Path start = directory.resolve("Q-0-start");
        models.addScoreHead(policy, start, context.random().derive("score head"));
        PrmConfig prm =
                PrmConfig.builder().batchTrajectories(8).learningRate(1e-3).warmup(0.05).build();
        try (TrainableModel model = engine.loadTrainable(start, ADAM_W)) {
            new PrmProvider()
                    .create(prm, parts, context)
                    .learn(model, models.renderer(model), labelled, context);
            model.save(target);
        }
    }

    /** Trains the policy to prefer the replies that the reward model prefers. */
    private void improve(List<Trajectory> played, Path policy, Path judge, Path target) {
        OnlineDpoConfig dpo =
                OnlineDpoConfig.builder()
                        .steps(40)
                        .promptsPerStep(128)
                        .replies(4)
                        .temperature(1.0)
                        .minMargin(0.2)
                        .beta(0.1)
                        .innerPasses(1)
                        .learningRate(5e-5)
                        .build();
        try (TrainablePolicy improving =
                        models.trainablePolicy("pi-1", engine.loadTrainable(policy, ADAM_W));
                RewardModel values = models.rewardModel("Q-0", engine.load(judge))) {
            new OnlineDpoProvider()
                    .create(dpo, parts, context)
                    .optimize(OptimizationRequest.of(improving, played, context).with(values));
            improving.model().save(target);
        }
    }

    private void report(String name, Path model) {
        try (Policy policy = models.policy(name, engine.load(model))) {
            report(name, policy);
        }
    }

    private void reportBestOfN(Path model, Path judge) {
        try (Policy policy = models.policy("pi-0", engine.load(model));
                RewardModel values = models.rewardModel("Q-0", engine.load(judge))) {
            Policy choosing =
                    new BestOfNProvider()
                            .create(
                                    new ChoiceConfig(4, 1.0),
                                    parts.toBuilder().policy(policy).rewardModel(values).build(),
                                    context);
            report("best of 4 of pi-0 by Q-0", choosing);
        }
    }

    /** Plays unseen games, the same ones for everybody, and prints how many were won. */
    private void report(String name, Policy policy) {
        List<Task> tasks = some("valid_unseen", 200);
        long won =
                rollouts
                        .collect(
                                policy,
                                RolloutPlan.of(tasks, 1, context.random().derive("evaluation")))
                        .stream()
                        .filter(Trajectory::success)
                        .count();
        System.out.printf(
                Locale.ROOT, "%-26s won %d of %d unseen games%n", name, won, tasks.size());
    }

    private List<Task> some(String split, int number) {
        List<Task> tasks = games.tasks(split);
        return tasks.subList(0, Math.min(number, tasks.size()));
    }

    private static ComponentConfig component(String name, String settings) {
        return new ComponentConfig(name, ConfigNode.parse(settings, "ComposeInCode"));
    }
}
