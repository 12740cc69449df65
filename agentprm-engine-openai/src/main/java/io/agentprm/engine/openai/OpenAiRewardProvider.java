package io.agentprm.engine.openai;

import io.agentprm.api.plugin.Components;
import io.agentprm.api.plugin.RewardModelProvider;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.run.RunContext;

/** The reward model {@code openai-reward}. */
public final class OpenAiRewardProvider implements RewardModelProvider<OpenAiRewardConfig> {
    private final Limits limits = new Limits();

    @Override
    public String name() {
        return "openai-reward";
    }

    @Override
    public String description() {
        return "A reward model behind the pooling, classify or score endpoint of vLLM or SGLang (neither"
                + " was there to be run), asked in text.";
    }

    @Override
    public Class<OpenAiRewardConfig> configuration() {
        return OpenAiRewardConfig.class;
    }

    @Override
    public RewardModel create(
            OpenAiRewardConfig configuration, Components components, RunContext context) {
        configuration
                .server()
                .dialect()
                .require(Capability.SCORES, "openai-reward", "serve the model with one of these");
        return new RemoteRewardModel(
                configuration, Server.open(configuration.server(), limits, context));
    }
}
