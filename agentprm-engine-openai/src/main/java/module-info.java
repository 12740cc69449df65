/**
 * Policies, log-probabilities and scores from vLLM, SGLang, llama.cpp's server and other
 * OpenAI-compatible servers.
 */
module io.agentprm.engine.openai {
    requires transitive io.agentprm.api;
    requires transitive io.agentprm.lm;
    requires com.fasterxml.jackson.databind;
    requires java.net.http;
    requires org.slf4j;

    exports io.agentprm.engine.openai;

    provides io.agentprm.api.plugin.InferenceEngineProvider with
            io.agentprm.engine.openai.OpenAiEngineProvider;
    provides io.agentprm.api.plugin.PolicyProvider with
            io.agentprm.engine.openai.OpenAiPolicyProvider;
    provides io.agentprm.api.plugin.RewardModelProvider with
            io.agentprm.engine.openai.OpenAiRewardProvider;
}
