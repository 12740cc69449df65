package io.agentprm.engine.onnx;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.plugin.InferenceEngineProvider;
import io.agentprm.api.run.RunContext;
import io.agentprm.lm.DeviceChoice;

/** The engine {@code onnx}. */
public final class OnnxEngineProvider implements InferenceEngineProvider<OnnxConfig> {
    static final String NAME = "onnx";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "ONNX Runtime: runs models of the Llama family on CPU or CUDA; does not train. "
                + DeviceChoice.CUDA_UNTRIED
                + ".";
    }

    @Override
    public Class<OnnxConfig> configuration() {
        return OnnxConfig.class;
    }

    @Override
    public InferenceEngine create(OnnxConfig configuration, RunContext context) {
        return OnnxEngine.open(configuration);
    }
}
