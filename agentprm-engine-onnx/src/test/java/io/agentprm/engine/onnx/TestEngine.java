package io.agentprm.engine.onnx;

import io.agentprm.lm.DeviceChoice;

/** The engine as most tests want it: its defaults on one thread. */
final class TestEngine {
    private TestEngine() {}

    static OnnxEngine open() {
        return OnnxEngine.open(OnnxConfig.defaults().withThreads(1));
    }

    /** Settings on one thread. */
    static OnnxConfig config(long packedMegabytes, long cacheMegabytes) {
        return new OnnxConfig(
                DeviceChoice.CPU, 1, Precision.F32, packedMegabytes, cacheMegabytes, 8192, 512);
    }

    /**
     * The engine on a processor with a smaller cache.
     *
     * @param cachedBytes size of weights that stay in it
     */
    static OnnxEngine open(OnnxConfig config, long cachedBytes) {
        return new OnnxEngine(config, OnnxRuntime.start(DeviceChoice.CPU, 1), cachedBytes);
    }
}
