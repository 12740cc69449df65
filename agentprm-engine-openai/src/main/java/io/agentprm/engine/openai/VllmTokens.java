package io.agentprm.engine.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.trajectory.SampledTokens;
import java.util.Optional;

/** vLLM's completions with its extensions, and its pooling endpoint for scores. */
final class VllmTokens implements TokenProtocol {
    private static final String TOKEN = "token_id:";

    private final Optional<String> model;

    VllmTokens(Optional<String> model) {
        this.model = model;
    }

    private ObjectNode body() {
        ObjectNode body = Answers.MAPPER.createObjectNode();
        model.ifPresent(name -> body.put("model", name));
        return body;
    }

    @Override
    public Request generation(int[] prompt, Sampling sampling, int endOfTurn, int seed) {
        ObjectNode body = body();
        TokenProtocol.ids(body, "prompt", prompt);
        body.put("n", 1)
                .put("max_tokens", sampling.maxNewTokens())
                .put("temperature", sampling.temperature())
                .put("top_p", sampling.topP())
                .put("top_k", -1)
                .put("min_p", 0)
                .put("repetition_penalty", 1)
                .put("seed", seed)
                .put("logprobs", 1)
                .put("return_tokens_as_token_ids", true)
                .put("skip_special_tokens", false);
        TokenProtocol.ids(body, "stop_token_ids", endOfTurn);
        return new Request("/v1/completions", body);
    }

    @Override
    public SampledTokens sampled(JsonNode answer) {
        return tokens(Reading.of(answer).at("choices").list(1).at(0).at("logprobs"));
    }

    /** The sampled tokens of a choice of completions. */
    static SampledTokens tokens(Reading logProbs) {
        Reading tokens = logProbs.at("tokens");
        Reading values = logProbs.at("token_logprobs").list(tokens.size());
        int[] ids = new int[tokens.size()];
        double[] sampled = new double[ids.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = id(tokens.at(i));
            sampled[i] = values.at(i).number();
        }
        return TokenProtocol.tokens(ids, sampled);
    }

    static int id(Reading token) {
        String text = token.text();
        try {
            if (text.startsWith(TOKEN)) {
                return Integer.parseInt(text.substring(TOKEN.length()));
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new ServerException(
                "the server's answer has no token id in "
                        + token.place()
                        + " but '"
                        + text
                        + "'; this vLLM is too old for return_tokens_as_token_ids, or it is another"
                        + " server");
    }

    @Override
    public Request logProbs(int[] tokens) {
        ObjectNode body = body();
        TokenProtocol.ids(body, "prompt", tokens);
        body.put("max_tokens", 1).put("temperature", 0).put("prompt_logprobs", 1);
        return new Request("/v1/completions", body);
    }

    @Override
    public double[] logProbs(JsonNode answer, int[] tokens) {
        Reading all =
                Reading.of(answer)
                        .at("choices")
                        .list(1)
                        .at(0)
                        .at("prompt_logprobs")
                        .list(tokens.length);
        double[] values = new double[tokens.length - 1];
        for (int i = 1; i < tokens.length; i++) {
            values[i - 1] = all.at(i).at(Integer.toString(tokens[i])).at("logprob").number();
        }
        return values;
    }

    @Override
    public Request score(int[] tokens) {
        ObjectNode body = body();
        TokenProtocol.ids(body, "input", tokens);
        return new Request("/pooling", raw(body));
    }

    /** Asks for the head's output without a function over it; the key changed its name. */
    static ObjectNode raw(ObjectNode body) {
        return body.put("task", "classify").put("use_activation", false).put("activation", false);
    }

    @Override
    public double score(JsonNode answer) {
        return Reading.of(answer).at("data").list(1).at(0).at("data").list(1).at(0).number();
    }
}
