package io.agentprm.engine.openai;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.plugin.InferenceEngineProvider;
import io.agentprm.api.run.RunContext;

/** The engine {@code openai}. */
public final class OpenAiEngineProvider implements InferenceEngineProvider<OpenAiEngineConfig> {
    private final Limits limits = new Limits();

    @Override
    public String name() {
        return "openai";
    }

    @Override
    public String description() {
        return "Models served by llama.cpp, vLLM or SGLang (the latter two never run so far), in token ids;"
                + " for evaluation, it does not train.";
    }

    @Override
    public Class<OpenAiEngineConfig> configuration() {
        return OpenAiEngineConfig.class;
    }

    @Override
    public InferenceEngine create(OpenAiEngineConfig configuration, RunContext context) {
        return new RemoteEngine(configuration, limits, context);
    }
}
