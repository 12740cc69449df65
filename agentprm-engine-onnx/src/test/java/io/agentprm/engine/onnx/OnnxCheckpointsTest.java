package io.agentprm.engine.onnx;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.lm.testing.CheckpointRules;

/** The engine reads the published checkpoints. */
class OnnxCheckpointsTest extends CheckpointRules {
    @Override
    protected InferenceEngine open() {
        return OnnxEngine.open(OnnxConfig.defaults().withThreads(1));
    }
}
