package io.agentprm.engine.onnx;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.lm.testing.GenerationRules;

/** The rules of generation hold for models that are held as they are in their files. */
class WeightsFirstTest extends GenerationRules {
    @Override
    protected InferenceEngine open(long cacheMegabytes) {
        return TestEngine.open(TestEngine.config(0, cacheMegabytes), 0);
    }
}
