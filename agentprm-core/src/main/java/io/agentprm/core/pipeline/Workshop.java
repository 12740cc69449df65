package io.agentprm.core.pipeline;

import io.agentprm.api.env.Environment;
import io.agentprm.api.lm.AgentModels;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.run.RunContext;
import io.agentprm.core.plugin.ComponentFactory;
import io.agentprm.core.plugin.RunComponents;
import java.nio.file.Path;

/**
 * The environment, the engine and the models of a run, and agents made of them. Thread-safe; agents
 * are not.
 */
final class Workshop implements AutoCloseable {
    private final ComponentFactory factory;
    private final Environment environment;
    private final InferenceEngine engine;
    private final AgentModels models;

    private Workshop(
            ComponentFactory factory,
            Environment environment,
            InferenceEngine engine,
            AgentModels models) {
        this.factory = factory;
        this.environment = environment;
        this.engine = engine;
        this.models = models;
    }

    static Workshop open(RunConfig config, ComponentFactory factory, RunContext context) {
        AgentModels models = factory.agentModels(config.models(), context);
        Environment environment = factory.environment(config.environment(), context);
        try {
            return new Workshop(
                    factory, environment, factory.engine(config.engine(), context), models);
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

    /** A policy of its own copy of the weights, to be closed by the caller. */
    Policy policy(String id, Path model) {
        return models.policy(id, engine.load(model));
    }

    /** A reward model of its own copy of the weights, to be closed by the caller. */
    RewardModel rewardModel(String id, Path model) {
        return models.rewardModel(id, engine.load(model));
    }

    /** An agent as specified, with its own copies of all weights; closing it closes them. */
    Policy agent(Agent agent, RunContext context) {
        Policy base = policy(agent.policyId(), agent.policy());
        if (agent.chooser().isEmpty()) {
            return agent.temperature() < 0 ? base : sampling(base, agent.temperature());
        }
        RewardModel rewardModel;
        try {
            rewardModel = rewardModel(agent.rewardModelId(), agent.rewardModel().orElseThrow());
        } catch (RuntimeException e) {
            base.close();
            throw e;
        }
        Policy choosing =
                factory.policy(
                        agent.chooser().get(),
                        components().policy(base).rewardModel(rewardModel).build(),
                        context);
        return new OwningPolicy(choosing, base, rewardModel);
    }

    private static Policy sampling(Policy base, double temperature) {
        int limit =
                base instanceof io.agentprm.api.lm.LanguagePolicy language
                        ? language.sampling().maxNewTokens()
                        : Integer.MAX_VALUE;
        return new SamplingPolicy(base, Sampling.temperature(temperature, limit));
    }

    @Override
    public void close() {
        engine.close();
        environment.close();
    }
}
