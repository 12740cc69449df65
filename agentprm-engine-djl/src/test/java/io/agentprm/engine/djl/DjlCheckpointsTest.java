package io.agentprm.engine.djl;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.lm.testing.CheckpointRules;

/** The engine reads the published checkpoints. */
class DjlCheckpointsTest extends CheckpointRules {
    @Override
    protected InferenceEngine open() {
        return TestEngine.open();
    }
}
