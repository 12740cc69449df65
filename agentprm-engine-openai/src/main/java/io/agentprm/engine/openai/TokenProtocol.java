package io.agentprm.engine.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.lm.TokenConstraint;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.trajectory.SampledTokens;
import java.util.Optional;

/**
 * How a dialect is asked for tokens. Everything that shapes a distribution is said in every
 * request: servers have defaults of their own, and take some from the model's directory.
 */
interface TokenProtocol {
    /**
     * Asks for one continuation.
     *
     * @param endOfTurn token at which it stops
     * @param seed 31 bits, which every server takes
     */
    Request generation(int[] prompt, Sampling sampling, int endOfTurn, int seed);

    /**
     * The same within a constraint.
     *
     * @param generation what {@link #generation} asks
     * @throws UnsupportedOperationException if the dialect has no {@link Capability#TOKEN_GRAMMARS}
     */
    default Request within(Request generation, TokenConstraint constraint, int endOfTurn) {
        throw new UnsupportedOperationException("this server knows no grammars of token ids");
    }

    /**
     * The continuation, its end of turn included where it has one, with the log-probabilities of
     * the model at temperature 1; NaN for those that the answer lacks, which {@link #next} gives.
     */
    SampledTokens sampled(JsonNode answer);

    /** Asks for the distribution of the token after these, where {@link #sampled} gives NaN. */
    default Request next(int[] before) {
        throw new UnsupportedOperationException("the answers of this server lack nothing");
    }

    /** The natural log-probability of a token there. */
    default double next(JsonNode answer, int id) {
        throw new UnsupportedOperationException("the answers of this server lack nothing");
    }

    /** Asks for the log-probability of each token given those before it. */
    Request logProbs(int[] tokens);

    /** One natural log-probability for each token but the first. */
    double[] logProbs(JsonNode answer, int[] tokens);

    /** Asks for the score head's output after the last token. */
    Request score(int[] tokens);

    /** The raw output of the score head. */
    double score(JsonNode answer);

    static TokenProtocol of(Dialect dialect, Optional<String> model) {
        return switch (dialect) {
            case VLLM -> new VllmTokens(model);
            case SGLANG -> new SglangTokens();
            case LLAMA_CPP -> new LlamaCppTokens();
            case OPENAI ->
                    throw new IllegalArgumentException("the dialect openai has no token ids");
        };
    }

    static ArrayNode ids(ObjectNode body, String key, int... tokens) {
        ArrayNode array = body.putArray(key);
        for (int token : tokens) {
            array.add(token);
        }
        return array;
    }

    /** Two lists of the same length as tokens at temperature 1. */
    static SampledTokens tokens(int[] ids, double[] logProbs) {
        if (ids.length == 0) {
            throw new ServerException("the server's answer has no tokens");
        }
        return SampledTokens.of(ids, logProbs, 1);
    }
}
