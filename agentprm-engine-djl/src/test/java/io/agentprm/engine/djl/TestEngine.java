package io.agentprm.engine.djl;

/** The engine as most tests want it: its defaults on one thread. */
final class TestEngine {
    private TestEngine() {}

    static DjlEngine open() {
        return DjlEngine.open(DjlConfig.defaults().withThreads(1));
    }
}
