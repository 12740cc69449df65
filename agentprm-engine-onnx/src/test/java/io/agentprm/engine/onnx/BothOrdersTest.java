package io.agentprm.engine.onnx;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.lm.testing.GenerationRules;

/** The rules of generation hold where passes change between packed weights and others. */
class BothOrdersTest extends GenerationRules {
    @Override
    protected InferenceEngine open(long cacheMegabytes) {
        return TestEngine.open(TestEngine.config(1024, cacheMegabytes), 0);
    }
}
