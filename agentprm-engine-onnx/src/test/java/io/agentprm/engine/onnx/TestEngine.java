package io.agentprm.engine.onnx;

/** The engine as most tests want it: its defaults on one thread. */
final class TestEngine {
    private TestEngine() {}

    static OnnxEngine open() {
        return OnnxEngine.open(OnnxConfig.defaults().withThreads(1));
    }
}
