package consumer;

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
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.plugin.ComponentFactory;
import io.agentprm.core.plugin.Plugins;
import io.agentprm.core.plugin.RunComponents;
import io.agentprm.core.rollout.RolloutConfig;
import io.agentprm.core.rollout.RolloutRunner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The loop of the page on composing in code; fails if the trained agent is not better. */
public final class OnTheClassPath {
    private static final OptimizerOptions ADAM_W = OptimizerOptions.adamW(0.01);

    public static void main(String[] arguments) throws Exception {
        Path directory = Files.createTempDirectory(Path.of(arguments[0]), "models");
        // Seed, clock, metrics, progress, cancellation and checkpoints come in as one context.
        RunContext context = RunContext.ofSeed(1);
        // Components by name, as a configuration file has them. For the household games: alfworld, djl, transformer.
        ComponentFactory factory = new ComponentFactory(Plugins.discover());
        AgentModels models = factory.agentModels(component("tabular", "{process: stochastic-house}"), context);
        try (Environment house =
                        factory.environment(
                                component("toy-mdp", "{process: stochastic-house, tasks-per-split: 40}"), context);
                InferenceEngine engine = factory.engine(ComponentConfig.of("tabular"), context)) {
            Rollouts rollouts = new RolloutRunner(house, RolloutConfig.defaults(), context);
            RunComponents parts = RunComponents.builder().environment(house).engine(engine).build();

            // Demonstrations of an expert that errs.
            List<Trajectory> demonstrations;
            try (Policy expert =
                    factory.policy(component("toy-expert", "{process: stochastic-house, noise: 0.8}"), parts, context)) {
                demonstrations = rollouts.collect(expert, plan(house, "train", 4, context, "demonstrations"));
            }

            // pi-0: a new model and supervised fine-tuning. Every stage leaves a model directory.
            Path fresh = directory.resolve("start");
            Path pi0 = directory.resolve("pi-0");
            models.initialise(fresh, demonstrations, context.random().derive("weights"));
            SftConfig sft = SftConfig.builder().epochs(2).batchTrajectories(8).learningRate(0.05).build();
            try (TrainablePolicy policy = models.trainablePolicy("pi-0", engine.loadTrainable(fresh, ADAM_W))) {
                new SftProvider()
                        .create(sft, parts, context)
                        .optimize(OptimizationRequest.of(policy, demonstrations, context));
                policy.model().save(pi0);
            }

            // Rollouts of pi-0, and what they say about each turn.
            List<Trajectory> played;
            try (Policy policy = models.policy("pi-0", engine.load(pi0))) {
                played = rollouts.collect(policy, plan(house, "train", 16, context, "rollouts"));
            }
            List<LabelledTrajectory> labelled =
                    new McProvider().create(McConfig.defaults(), parts, context).estimate(played);

            // pi-0 with a score head, trained on the labels.
            Path judgeStart = directory.resolve("Q-0-start");
            Path judge = directory.resolve("Q-0");
            models.addScoreHead(pi0, judgeStart, context.random().derive("score head"));
            PrmConfig prm = PrmConfig.builder().epochs(4).learningRate(0.2).build();
            try (TrainableModel model = engine.loadTrainable(judgeStart, ADAM_W)) {
                new PrmProvider().create(prm, parts, context).learn(model, models.renderer(model), labelled, context);
                model.save(judge);
            }

            // pi-1: online DPO against Q-0.
            Path second = directory.resolve("pi-1");
            OnlineDpoConfig dpo =
                    OnlineDpoConfig.builder().steps(40).promptsPerStep(64).learningRate(0.03).beta(0.1).build();
            try (TrainablePolicy improving = models.trainablePolicy("pi-1", engine.loadTrainable(pi0, ADAM_W));
                    RewardModel values = models.rewardModel("Q-0", engine.load(judge))) {
                new OnlineDpoProvider()
                        .create(dpo, parts, context)
                        .optimize(OptimizationRequest.of(improving, played, context).with(values));
                improving.model().save(second);
            }

            // Judge them on the same tasks and seeds. Best-of-4 asks pi-0 four times and takes what Q-0 likes best.
            RolloutPlan unseen = plan(house, "valid", 4, context, "evaluation");
            try (Policy before = models.policy("pi-0", engine.load(pi0));
                    Policy after = models.policy("pi-1", engine.load(second));
                    RewardModel values = models.rewardModel("Q-0", engine.load(judge))) {
                RunComponents both = parts.toBuilder().policy(before).rewardModel(values).build();
                Policy bestOfFour = new BestOfNProvider().create(new ChoiceConfig(4, 1.0), both, context);
                long start = won("pi-0", rollouts.collect(before, unseen));
                long chosen = won("best of 4", rollouts.collect(bestOfFour, unseen));
                long trained = won("pi-1", rollouts.collect(after, unseen));
                if (chosen <= start || trained <= start) {
                    throw new AssertionError("nothing was learned");
                }
            }
        }
    }

    private static RolloutPlan plan(Environment house, String split, int episodes, RunContext context, String stream) {
        return RolloutPlan.of(house.tasks(split), episodes, context.random().derive(stream));
    }

    private static ComponentConfig component(String name, String settings) {
        return new ComponentConfig(name, ConfigNode.parse(settings, "consumer"));
    }

    private static long won(String agent, List<Trajectory> episodes) {
        long won = episodes.stream().filter(Trajectory::success).count();
        System.out.printf("%-10s %3d of %d%n", agent, won, episodes.size());
        return won;
    }
}
