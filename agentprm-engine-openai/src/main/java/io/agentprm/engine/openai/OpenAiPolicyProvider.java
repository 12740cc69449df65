package io.agentprm.engine.openai;

import io.agentprm.api.plugin.Components;
import io.agentprm.api.plugin.PolicyProvider;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.RunContext;

/** The policy {@code openai-policy}. */
public final class OpenAiPolicyProvider implements PolicyProvider<OpenAiPolicyConfig> {
    private final Limits limits = new Limits();

    @Override
    public String name() {
        return "openai-policy";
    }

    @Override
    public String description() {
        return "A language model behind an OpenAI-compatible server, asked in text.";
    }

    @Override
    public Class<OpenAiPolicyConfig> configuration() {
        return OpenAiPolicyConfig.class;
    }

    @Override
    public Policy create(
            OpenAiPolicyConfig configuration, Components components, RunContext context) {
        RemotePolicy.requireCapabilities(configuration);
        return new RemotePolicy(
                configuration, Server.open(configuration.server(), limits, context));
    }
}
