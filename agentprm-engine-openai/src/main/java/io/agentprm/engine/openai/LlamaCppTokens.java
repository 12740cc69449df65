package io.agentprm.engine.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.lm.TokenConstraint;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.trajectory.SampledTokens;
import java.util.Arrays;

/**
 * The {@code /completion} endpoint of llama.cpp's server, which stops at the model's own tokens.
 *
 * <p>It describes tokens when the text so far is well-formed UTF-8: of a character that takes
 * several tokens, only the last is described. What is missing is asked for afterwards.
 */
final class LlamaCppTokens implements TokenProtocol {
    /** More tokens than any vocabulary has; the server takes it for all of them. */
    private static final int ALL = 1 << 20;

    @Override
    public Request generation(int[] prompt, Sampling sampling, int endOfTurn, int seed) {
        ObjectNode body = body(prompt, sampling.maxNewTokens(), 1);
        body.put("temperature", sampling.temperature())
                .put("top_p", sampling.topP())
                .put("top_k", 0)
                .put("min_p", 0)
                .put("repeat_penalty", 1)
                .put("seed", seed)
                .put("return_tokens", true);
        // In this order: the nucleus is that of the distribution that is sampled from.
        body.putArray("samplers").add("temperature").add("top_p");
        return new Request("/completion", body);
    }

    private static ObjectNode body(int[] prompt, int tokens, int described) {
        ObjectNode body = Answers.MAPPER.createObjectNode();
        TokenProtocol.ids(body, "prompt", prompt);
        return body.put("n_predict", tokens)
                .put("n_probs", described)
                .put("post_sampling_probs", false);
    }

    @Override
    public Request within(Request generation, TokenConstraint constraint, int endOfTurn) {
        ObjectNode body = generation.body().deepCopy();
        body.put("grammar", TokenGrammar.of(constraint, endOfTurn));
        return new Request(generation.path(), body);
    }

    @Override
    public SampledTokens sampled(JsonNode answer) {
        int[] ids = integers(Reading.of(answer).at("tokens"));
        double[] logProbs = new double[ids.length];
        Arrays.fill(logProbs, Double.NaN);
        if (Reading.of(answer).has("completion_probabilities")) {
            describe(Reading.of(answer).at("completion_probabilities"), ids, logProbs);
        }
        return TokenProtocol.tokens(ids, logProbs);
    }

    private static int[] integers(Reading list) {
        int[] out = new int[list.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = list.at(i).integer();
        }
        return out;
    }

    /**
     * Sets the log-probabilities of the tokens that are described. Nothing says which they are, but
     * their order: one has a place for certain if the first and the last that it can have are one.
     */
    private static void describe(Reading described, int[] ids, double[] logProbs) {
        int count = described.size();
        int[] first = new int[count];
        for (int k = 0, place = 0; k < count; k++) {
            int id = described.at(k).at("id").integer();
            while (place < ids.length && ids[place] != id) {
                place++;
            }
            if (place == ids.length) {
                throw new ServerException(
                        "the server's answer describes in "
                                + described.at(k).place()
                                + " a token that is not in its place in tokens");
            }
            first[k] = place++;
        }
        for (int k = count - 1, place = ids.length - 1; k >= 0; k--) {
            Reading one = described.at(k);
            while (ids[place] != one.at("id").integer()) {
                place--;
            }
            if (place == first[k]) {
                logProbs[place] = one.at("logprob").number();
            }
            place--;
        }
    }

    /** The distribution before an end that is made to come at once. */
    @Override
    public Request next(int[] before) {
        ObjectNode body = body(before, 1, ALL);
        body.put("temperature", 0).put("grammar", TokenGrammar.END);
        return new Request("/completion", body);
    }

    @Override
    public double next(JsonNode answer, int id) {
        Reading all =
                Reading.of(answer).at("completion_probabilities").list(1).at(0).at("top_logprobs");
        for (int i = 0; i < all.size(); i++) {
            if (all.at(i).at("id").integer() == id) {
                return all.at(i).at("logprob").number();
            }
        }
        throw new ServerException("the server's answer has no token " + id + " in " + all.place());
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
