package io.agentprm.engine.djl;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.plugin.InferenceEngineProvider;
import io.agentprm.api.run.RunContext;
import io.agentprm.lm.DeviceChoice;

/** The engine {@code djl}. */
public final class DjlEngineProvider implements InferenceEngineProvider<DjlConfig> {
    static final String NAME = "djl";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "PyTorch through DJL: trains and runs models of the Llama family on CPU or CUDA. "
                + DeviceChoice.CUDA_UNTRIED
                + ".";
    }

    @Override
    public Class<DjlConfig> configuration() {
        return DjlConfig.class;
    }

    @Override
    public InferenceEngine create(DjlConfig configuration, RunContext context) {
        return DjlEngine.open(configuration);
    }
}
