package io.agentprm.core.plugin;

import io.agentprm.api.env.Environment;
import io.agentprm.api.lm.AgentModels;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.optim.PolicyOptimizer;
import io.agentprm.api.optim.RewardLearner;
import io.agentprm.api.plugin.AgentModelsProvider;
import io.agentprm.api.plugin.Components;
import io.agentprm.api.plugin.EnvironmentProvider;
import io.agentprm.api.plugin.InferenceEngineProvider;
import io.agentprm.api.plugin.PolicyOptimizerProvider;
import io.agentprm.api.plugin.PolicyProvider;
import io.agentprm.api.plugin.Provider;
import io.agentprm.api.plugin.RewardLearnerProvider;
import io.agentprm.api.plugin.RewardModelProvider;
import io.agentprm.api.plugin.TargetEstimatorProvider;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.target.TargetEstimator;
import io.agentprm.core.RunException;
import io.agentprm.core.config.ComponentConfig;
import java.util.Objects;

/** Makes components from their names and settings. */
public final class ComponentFactory {
    private final Plugins plugins;

    public ComponentFactory(Plugins plugins) {
        this.plugins = plugins;
    }

    /**
     * The reference with every default of the provider's configuration written out.
     *
     * @throws io.agentprm.core.RunException if the name is unknown or the settings do not fit
     */
    public ComponentConfig resolve(ProviderKind<?> kind, ComponentConfig config) {
        return resolve(kind, config, "");
    }

    /**
     * The reference with every default of the provider's configuration written out.
     *
     * @param path key that the component stands at, which complaints name
     * @throws io.agentprm.core.RunException if the name is unknown or the settings do not fit
     */
    public ComponentConfig resolve(ProviderKind<?> kind, ComponentConfig config, String path) {
        return config.resolved(find(kind, config, path).configuration(), path);
    }

    private <P extends Provider<?>> P find(
            ProviderKind<P> kind, ComponentConfig config, String path) {
        try {
            return plugins.find(kind, config.name());
        } catch (RunException e) {
            throw path.isEmpty()
                    ? e
                    : new RunException(
                            config.settings().location() + ": " + path + ": " + e.getMessage(), e);
        }
    }

    public Environment environment(ComponentConfig config, RunContext context) {
        return make(plugins.find(ProviderKind.ENVIRONMENT, config.name()), config, context);
    }

    public InferenceEngine engine(ComponentConfig config, RunContext context) {
        return make(plugins.find(ProviderKind.INFERENCE_ENGINE, config.name()), config, context);
    }

    public AgentModels agentModels(ComponentConfig config, RunContext context) {
        return make(plugins.find(ProviderKind.AGENT_MODELS, config.name()), config, context);
    }

    public Policy policy(ComponentConfig config, Components components, RunContext context) {
        return make(plugins.find(ProviderKind.POLICY, config.name()), config, components, context);
    }

    public RewardModel rewardModel(
            ComponentConfig config, Components components, RunContext context) {
        return make(
                plugins.find(ProviderKind.REWARD_MODEL, config.name()),
                config,
                components,
                context);
    }

    public TargetEstimator targetEstimator(
            ComponentConfig config, Components components, RunContext context) {
        return make(
                plugins.find(ProviderKind.TARGET_ESTIMATOR, config.name()),
                config,
                components,
                context);
    }

    public PolicyOptimizer policyOptimizer(
            ComponentConfig config, Components components, RunContext context) {
        return make(
                plugins.find(ProviderKind.POLICY_OPTIMIZER, config.name()),
                config,
                components,
                context);
    }

    public RewardLearner rewardLearner(
            ComponentConfig config, Components components, RunContext context) {
        return make(
                plugins.find(ProviderKind.REWARD_LEARNER, config.name()),
                config,
                components,
                context);
    }

    private static <C extends Record> Environment make(
            EnvironmentProvider<C> provider, ComponentConfig config, RunContext context) {
        C settings = config.bind(provider.configuration());
        return Making.by(
                provider,
                () -> {
                    Environment environment = provider.create(settings, context);
                    if (environment != null) {
                        Objects.requireNonNull(environment.info(), "info() gave null");
                        Objects.requireNonNull(environment.splits(), "splits() gave null");
                        Objects.requireNonNull(
                                environment.capabilities(), "capabilities() gave null");
                    }
                    return environment;
                });
    }

    private static <C extends Record> InferenceEngine make(
            InferenceEngineProvider<C> provider, ComponentConfig config, RunContext context) {
        C settings = config.bind(provider.configuration());
        return Making.by(provider, () -> provider.create(settings, context));
    }

    private static <C extends Record> AgentModels make(
            AgentModelsProvider<C> provider, ComponentConfig config, RunContext context) {
        C settings = config.bind(provider.configuration());
        return Making.by(provider, () -> provider.create(settings, context));
    }

    private static <C extends Record> Policy make(
            PolicyProvider<C> provider,
            ComponentConfig config,
            Components components,
            RunContext context) {
        C settings = config.bind(provider.configuration());
        return Making.by(provider, () -> provider.create(settings, components, context));
    }

    private static <C extends Record> RewardModel make(
            RewardModelProvider<C> provider,
            ComponentConfig config,
            Components components,
            RunContext context) {
        C settings = config.bind(provider.configuration());
        return Making.by(provider, () -> provider.create(settings, components, context));
    }

    private static <C extends Record> TargetEstimator make(
            TargetEstimatorProvider<C> provider,
            ComponentConfig config,
            Components components,
            RunContext context) {
        C settings = config.bind(provider.configuration());
        return Making.by(provider, () -> provider.create(settings, components, context));
    }

    private static <C extends Record> PolicyOptimizer make(
            PolicyOptimizerProvider<C> provider,
            ComponentConfig config,
            Components components,
            RunContext context) {
        C settings = config.bind(provider.configuration());
        return Making.by(provider, () -> provider.create(settings, components, context));
    }

    private static <C extends Record> RewardLearner make(
            RewardLearnerProvider<C> provider,
            ComponentConfig config,
            Components components,
            RunContext context) {
        C settings = config.bind(provider.configuration());
        return Making.by(provider, () -> provider.create(settings, components, context));
    }
}
