package io.agentprm.lm.agent;

import io.agentprm.api.lm.AgentModels;
import io.agentprm.api.plugin.AgentModelsProvider;
import io.agentprm.api.run.RunContext;

/** Provider of {@code transformer}. */
public final class TransformerProvider implements AgentModelsProvider<TransformerConfig> {
    @Override
    public String name() {
        return "transformer";
    }

    @Override
    public String description() {
        return "A decoder of the Llama family, trained from scratch or from a model directory.";
    }

    @Override
    public Class<TransformerConfig> configuration() {
        return TransformerConfig.class;
    }

    @Override
    public AgentModels create(TransformerConfig configuration, RunContext context) {
        return new TransformerModels(configuration);
    }
}
