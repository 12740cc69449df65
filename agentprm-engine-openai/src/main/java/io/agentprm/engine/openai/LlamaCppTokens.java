package io.agentprm.engine.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.trajectory.SampledTokens;

/**
 * The {@code /completion} endpoint of llama.cpp's server, which stops at the model's own tokens.
 */
final class LlamaCppTokens implements TokenProtocol {
    @Override
    public Request generation(int[] prompt, Sampling sampling, int endOfTurn, int seed) {
        ObjectNode body = Answers.MAPPER.createObjectNode();
        TokenProtocol.ids(body, "prompt", prompt);
        body.put("n_predict", sampling.maxNewTokens())
                .put("temperature", sampling.temperature())
                .put("top_p", sampling.topP())
                .put("top_k", 0)
                .put("min_p", 0)
                .put("repeat_penalty", 1)
                .put("seed", seed)
                .put("n_probs", 1)
                .put("post_sampling_probs", false)
                .put("return_tokens", true)
                .put("cache_prompt", true);
        // In this order: the nucleus is that of the distribution that is sampled from.
        body.putArray("samplers").add("temperature").add("top_p");
        return new Request("/completion", body);
    }

    @Override
    public SampledTokens sampled(JsonNode answer) {
        Reading all = Reading.of(answer).at("completion_probabilities");
        int[] ids = new int[all.size()];
        double[] logProbs = new double[ids.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = all.at(i).at("id").integer();
            logProbs[i] = all.at(i).at("logprob").number();
        }
        return TokenProtocol.tokens(ids, logProbs);
    }

    @Override
    public Request logProbs(int[] tokens) {
        throw new UnsupportedOperationException("llama.cpp's server gives none");
    }

    @Override
    public double[] logProbs(JsonNode answer, int[] tokens) {
        throw new UnsupportedOperationException("llama.cpp's server gives none");
    }

    @Override
    public Request score(int[] tokens) {
        throw new UnsupportedOperationException("llama.cpp's server gives none");
    }

    @Override
    public double score(JsonNode answer) {
        throw new UnsupportedOperationException("llama.cpp's server gives none");
    }
}
