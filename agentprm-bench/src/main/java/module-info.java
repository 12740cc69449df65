/** Benchmarks: games, training against its peer, generation. */
module io.agentprm.bench {
    requires io.agentprm.api;
    requires io.agentprm.algos;
    requires io.agentprm.lm;
    requires io.agentprm.engine.djl;
    requires io.agentprm.engine.onnx;
    requires io.agentprm.engine.openai;
    requires io.agentprm.env.alfworld;
    requires io.agentprm.env.webshop;
    requires ai.djl.api;
    requires info.picocli;
    requires java.management;
    requires jdk.management;
    requires jmh.core;

    // picocli fills options by reflection.
    opens io.agentprm.bench to
            info.picocli;
    opens io.agentprm.bench.games to
            info.picocli;
    opens io.agentprm.bench.model to
            info.picocli;
}
