/** Trainable and inference language models on DJL PyTorch. */
module io.agentprm.engine.djl {
    requires transitive io.agentprm.api;
    requires io.agentprm.lm;
    requires org.slf4j;
    requires ai.djl.api;
    requires ai.djl.pytorch_engine;

    exports io.agentprm.engine.djl;
}
