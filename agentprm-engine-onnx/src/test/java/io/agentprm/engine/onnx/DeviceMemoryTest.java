package io.agentprm.engine.onnx;

import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.lm.DeviceChoice;
import io.agentprm.lm.testing.GenerationRules;

/**
 * The rules of generation with caches as on a GPU: in memory that ONNX Runtime allocates and a
 * graph moves. Here it is the processor's, but Java gets no pointer to it that it could read or
 * write through: one that does, as if the device were the processor, fails.
 */
class DeviceMemoryTest extends GenerationRules {
    @Override
    protected InferenceEngine open(long cacheMegabytes) {
        return new OnnxEngine(
                TestEngine.config(1024, cacheMegabytes),
                OnnxRuntime.start(DeviceChoice.CPU, 1).withMemory("Cpu"));
    }
}
