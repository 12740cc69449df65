package io.agentprm.engine.onnx;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.lm.testing.GenerationRules;

/** The engine keeps the rules of generation. */
class OnnxGenerationTest extends GenerationRules {
    @Override
    protected InferenceEngine open(long cacheMegabytes) {
        return OnnxEngine.open(TestEngine.config(1024, cacheMegabytes));
    }
}
