package io.agentprm.core.plugin;

import io.agentprm.api.plugin.AgentModelsProvider;
import io.agentprm.api.plugin.EnvironmentProvider;
import io.agentprm.api.plugin.InferenceEngineProvider;
import io.agentprm.api.plugin.PolicyOptimizerProvider;
import io.agentprm.api.plugin.PolicyProvider;
import io.agentprm.api.plugin.Provider;
import io.agentprm.api.plugin.RewardLearnerProvider;
import io.agentprm.api.plugin.RewardModelProvider;
import io.agentprm.api.plugin.TargetEstimatorProvider;
import java.util.List;

/**
 * A kind of provider.
 *
 * @param <P> its interface
 */
public final class ProviderKind<P extends Provider<?>> {
    public static final ProviderKind<EnvironmentProvider<?>> ENVIRONMENT =
            kind("environment", EnvironmentProvider.class);
    public static final ProviderKind<PolicyProvider<?>> POLICY =
            kind("policy", PolicyProvider.class);
    public static final ProviderKind<RewardModelProvider<?>> REWARD_MODEL =
            kind("reward model", RewardModelProvider.class);
    public static final ProviderKind<TargetEstimatorProvider<?>> TARGET_ESTIMATOR =
            kind("target estimator", TargetEstimatorProvider.class);
    public static final ProviderKind<PolicyOptimizerProvider<?>> POLICY_OPTIMIZER =
            kind("policy optimizer", PolicyOptimizerProvider.class);
    public static final ProviderKind<RewardLearnerProvider<?>> REWARD_LEARNER =
            kind("reward learner", RewardLearnerProvider.class);
    public static final ProviderKind<InferenceEngineProvider<?>> INFERENCE_ENGINE =
            kind("inference engine", InferenceEngineProvider.class);
    public static final ProviderKind<AgentModelsProvider<?>> AGENT_MODELS =
            kind("agent models", AgentModelsProvider.class);

    private final String title;
    private final Class<P> type;

    private ProviderKind(String title, Class<P> type) {
        this.title = title;
        this.type = type;
    }

    /** A class literal of a generic interface is raw; what it stands for is the wildcard type. */
    @SuppressWarnings("unchecked")
    private static <P extends Provider<?>> ProviderKind<P> kind(String title, Class<?> type) {
        return new ProviderKind<>(title, (Class<P>) type);
    }

    /** All kinds, in the order of reports. */
    public static List<ProviderKind<?>> all() {
        return List.of(
                ENVIRONMENT,
                POLICY,
                REWARD_MODEL,
                TARGET_ESTIMATOR,
                POLICY_OPTIMIZER,
                REWARD_LEARNER,
                INFERENCE_ENGINE,
                AGENT_MODELS);
    }

    /** In words, such as {@code reward model}. */
    public String title() {
        return title;
    }

    Class<P> type() {
        return type;
    }

    @Override
    public String toString() {
        return title;
    }
}
