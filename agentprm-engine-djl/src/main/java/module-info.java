/** Trainable and inference language models on DJL PyTorch. */
module io.agentprm.engine.djl {
    requires transitive io.agentprm.api;
    requires io.agentprm.lm;
    requires org.slf4j;
    requires ai.djl.api;
    requires ai.djl.pytorch_engine;
    requires com.sun.jna;
    requires com.fasterxml.jackson.databind;

    exports io.agentprm.engine.djl;

    provides io.agentprm.api.plugin.InferenceEngineProvider with
            io.agentprm.engine.djl.DjlEngineProvider;
}
