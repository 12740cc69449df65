package io.agentprm.core.pipeline;

import io.agentprm.api.env.Environment;
import io.agentprm.api.lm.AgentModels;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.LanguagePolicy;
import io.agentprm.api.optim.RewardLearner;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.run.RunContext;
import io.agentprm.core.RunException;
import io.agentprm.core.config.ComponentConfig;
import io.agentprm.core.plugin.ComponentFactory;
import io.agentprm.core.plugin.RunComponents;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The environment, the engine and the models of a run, and agents made of them. Thread-safe; agents
 * are not.
 */
final class Workshop implements AutoCloseable {
    private final ComponentFactory factory;
    private final Environment environment;
    private final InferenceEngine engine;
    private final AgentModels models;
    private final ScoreScale scale;

    private Workshop(
            ComponentFactory factory,
            Environment environment,
            InferenceEngine engine,
            AgentModels models,
            ScoreScale scale) {
        this.factory = factory;
        this.environment = environment;
        this.engine = engine;
        this.models = models;
        this.scale = scale;
    }

    static Workshop open(RunConfig config, ComponentFactory factory, RunContext context) {
        return open(
                config.environment(),
                () -> TwoEngines.open(config.engine(), config.trainer(), factory, context),
                config.models(),
                factory,
                context);
    }

    /** A workshop that only runs models. */
    static Workshop open(
            ComponentConfig environment,
            ComponentConfig engine,
            ComponentConfig models,
            ComponentFactory factory,
            RunContext context) {
        return open(environment, () -> factory.engine(engine, context), models, factory, context);
    }

    /**
     * The same workshop, which is closed with the other one.
     *
     * @param meaning what the scores of its reward models mean
     */
    Workshop scoring(ScoreScale meaning) {
        return new Workshop(factory, environment, engine, models, meaning);
    }

    private static Workshop open(
            ComponentConfig environmentConfig,
            Supplier<InferenceEngine> engine,
            ComponentConfig modelsConfig,
            ComponentFactory factory,
            RunContext context) {
        AgentModels models = factory.agentModels(modelsConfig, context);
        Environment environment = factory.environment(environmentConfig, context);
        try {
            return new Workshop(factory, environment, engine.get(), models, ScoreScale.LOGIT);
        } catch (RuntimeException e) {
            environment.close();
            throw e;
        }
    }

    ComponentFactory factory() {
        return factory;
    }

    Environment environment() {
        return environment;
    }

    InferenceEngine engine() {
        return engine;
    }

    AgentModels models() {
        return models;
    }

    RunComponents.Builder components() {
        return RunComponents.builder().environment(environment).engine(engine);
    }

    /** A learner of reward models. */
    RewardLearner learner(ComponentConfig config, RunContext context) {
        return factory.rewardLearner(config, components().build(), context);
    }

    /** A policy of its own copy of the weights, to be closed by the caller. */
    LanguagePolicy policy(String id, Path model) {
        return owned(engine.load(model), loaded -> models.policy(id, loaded));
    }

    /** A reward model of its own copy of the weights, to be closed by the caller. */
    RewardModel rewardModel(String id, Path model) {
        return owned(
                engine.load(model),
                loaded -> new ScaledRewardModel(models.rewardModel(id, loaded), scale));
    }

    /** A reward model of a provider, to be closed by the caller. */
    RewardModel rewardModel(ComponentConfig config, RunContext context) {
        return factory.rewardModel(config, components().build(), context);
    }

    /** What closes the model with itself; the model does not outlive a failure to make it. */
    private static <T> T owned(LanguageModel model, Function<LanguageModel, T> owner) {
        try {
            return owner.apply(model);
        } catch (RuntimeException e) {
            model.close();
            throw e;
        }
    }

    /** An agent as specified, with its own copies of all weights; closing it closes them. */
    Policy agent(Agent agent, RunContext context) {
        Policy base = policy(agent.policyId(), agent.policy());
        if (agent.chooser().isEmpty()) {
            return agent.temperature() < 0 ? base : sampling(base, agent.temperature());
        }
        // Not every way of choosing asks for scores: the weights are loaded when it does.
        RewardModel rewardModel =
                new LazyRewardModel(
                        agent.rewardModelId(), () -> judgeOf(agent).open(this, context));
        try {
            NotedComponents noted =
                    new NotedComponents(components().policy(base).rewardModel(rewardModel).build());
            Policy choosing = factory.policy(agent.chooser().get(), noted, context);
            if (!noted.policyAsked()) {
                choosing.close();
                throw new RunException(
                        "'"
                                + agent.chooser().get().name()
                                + "' does not choose among candidates of the policy: it plays by"
                                + " itself; choose with best-of-n, majority-vote or random-choice");
            }
            return new OwningPolicy(choosing, base, rewardModel);
        } catch (RuntimeException e) {
            base.close();
            throw e;
        }
    }

    private static Judge judgeOf(Agent agent) {
        return agent.judge()
                .orElseThrow(
                        () ->
                                new RunException(
                                        agent.title()
                                                + " asks for the scores of a reward model, but has"
                                                + " none"));
    }

    private static Policy sampling(Policy base, double temperature) {
        Sampling own =
                base instanceof LanguagePolicy language
                        ? language.sampling()
                        : Sampling.greedy(Integer.MAX_VALUE);
        return new SamplingPolicy(base, new Sampling(temperature, own.topP(), own.maxNewTokens()));
    }

    @Override
    public void close() {
        try (environment) {
            engine.close();
        }
    }
}
