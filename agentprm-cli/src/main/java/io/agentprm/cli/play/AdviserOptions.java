package io.agentprm.cli.play;

import io.agentprm.api.env.Environment;
import io.agentprm.api.lm.AgentModels;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.run.RunContext;
import io.agentprm.cli.game.Advisers;
import io.agentprm.cli.run.NamedRewardModel;
import io.agentprm.core.config.ComponentConfig;
import io.agentprm.core.pipeline.ScaledRewardModel;
import io.agentprm.core.plugin.ComponentFactory;
import io.agentprm.core.plugin.RunComponents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** Who advises the person that plays. */
final class AdviserOptions {
    @Option(
            names = "--reward-model",
            paramLabel = "DIR|{type: NAME, ...}",
            description =
                    "Model directory of a reward model, such as runs/NAME/prm/model: its score is"
                            + " shown beside each action. Settings are those of the run or training"
                            + " around it. Or a reward model as 'agentprm plugins' lists it, with"
                            + " its settings, such as {type: openai-reward, server: {url: ...}}.")
    private Optional<String> rewardModel = Optional.empty();

    @Option(
            names = "--policy",
            paramLabel = "POLICY",
            description =
                    "Who proposes an action: the model directory of a policy, or a policy as"
                            + " 'agentprm plugins' lists it, such as webshop-shopper.")
    private Optional<String> policy = Optional.empty();

    /**
     * Opens the models.
     *
     * @param ofRun reward model where the option names none
     */
    Advisers open(
            ComponentFactory factory,
            Environment environment,
            Optional<Path> ofRun,
            RunContext context) {
        Optional<RewardModel> judge =
                rewardModel
                        .map(said -> judge(said, factory, environment, context))
                        .or(() -> ofRun.map(model -> judge(model, factory, context)));
        try {
            return new Advisers(
                    judge,
                    policy.map(who -> proposer(who, factory, environment, context)),
                    context.random().derive("advisers"));
        } catch (RuntimeException e) {
            judge.ifPresent(RewardModel::close);
            throw e;
        }
    }

    private static RewardModel judge(
            String said, ComponentFactory factory, Environment environment, RunContext context) {
        return NamedRewardModel.of(said)
                .map(
                        named ->
                                factory.rewardModel(
                                        named,
                                        RunComponents.builder().environment(environment).build(),
                                        context))
                .orElseGet(() -> judge(Path.of(said), factory, context));
    }

    private static RewardModel judge(Path model, ComponentFactory factory, RunContext context) {
        ModelSettings settings = ModelSettings.of(model);
        return withEngine(
                settings,
                factory,
                context,
                engine -> {
                    ScoreScale scale =
                            factory.rewardLearner(
                                            settings.learner(),
                                            RunComponents.builder().engine(engine).build(),
                                            context)
                                    .scale();
                    AgentModels models = factory.agentModels(settings.models(), context);
                    RewardModel raw = models.rewardModel(model.toString(), engine.load(model));
                    return new OwningRewardModel(new ScaledRewardModel(raw, scale), engine);
                });
    }

    private static Policy proposer(
            String who, ComponentFactory factory, Environment environment, RunContext context) {
        Path model = Path.of(who);
        if (!Files.isDirectory(model)) {
            return factory.policy(
                    ComponentConfig.of(who),
                    RunComponents.builder().environment(environment).build(),
                    context);
        }
        ModelSettings settings = ModelSettings.of(model);
        return withEngine(
                settings,
                factory,
                context,
                engine ->
                        new OwningPolicy(
                                factory.agentModels(settings.models(), context)
                                        .policy(who, engine.load(model)),
                                engine));
    }

    /** An engine that is closed with what is made of it, and at once if that fails. */
    private static <T> T withEngine(
            ModelSettings settings,
            ComponentFactory factory,
            RunContext context,
            Function<InferenceEngine, T> making) {
        InferenceEngine engine = factory.engine(settings.engine(), context);
        try {
            return making.apply(engine);
        } catch (RuntimeException e) {
            engine.close();
            throw e;
        }
    }
}
