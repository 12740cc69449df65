/**
 * What every language-model engine needs: checkpoints, tokenizers, rendering, parsing, constrained
 * decoding.
 */
// The engines, which are built later, are the only ones that see how they decode and are checked.
@SuppressWarnings("module")
module io.agentprm.lm {
    requires transitive io.agentprm.api;
    requires com.fasterxml.jackson.databind;
    requires org.slf4j;
    requires ai.djl.tokenizers;
    requires ai.djl.api;
    requires com.google.gson;

    exports io.agentprm.lm;
    exports io.agentprm.lm.agent;
    exports io.agentprm.lm.chat;
    exports io.agentprm.lm.check to
            io.agentprm.engine.djl,
            io.agentprm.engine.onnx;
    exports io.agentprm.lm.checkpoint;
    exports io.agentprm.lm.decode to
            io.agentprm.engine.djl,
            io.agentprm.engine.onnx;
    exports io.agentprm.lm.gguf;
    exports io.agentprm.lm.text;
    exports io.agentprm.lm.tokenizer;

    provides io.agentprm.api.plugin.AgentModelsProvider with
            io.agentprm.lm.agent.TransformerProvider;
}
