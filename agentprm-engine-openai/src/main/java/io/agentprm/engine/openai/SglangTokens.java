package io.agentprm.engine.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.trajectory.SampledTokens;

/** SGLang's own endpoints: {@code /generate}, and {@code /classify} for reward models. */
final class SglangTokens implements TokenProtocol {
    @Override
    public Request generation(int[] prompt, Sampling sampling, int endOfTurn, int seed) {
        ObjectNode body = Answers.MAPPER.createObjectNode();
        TokenProtocol.ids(body, "input_ids", prompt);
        ObjectNode parameters = body.putObject("sampling_params");
        parameters
                .put("max_new_tokens", sampling.maxNewTokens())
                .put("temperature", sampling.temperature())
                .put("top_p", sampling.topP())
                .put("top_k", -1)
                .put("min_p", 0)
                .put("repetition_penalty", 1)
                .put("sampling_seed", seed)
                .put("skip_special_tokens", false)
                .put("no_stop_trim", true);
        TokenProtocol.ids(parameters, "stop_token_ids", endOfTurn);
        body.put("return_logprob", true);
        return new Request("/generate", body);
    }

    @Override
    public SampledTokens sampled(JsonNode answer) {
        Reading all = Reading.of(answer).at("meta_info").at("output_token_logprobs");
        int[] ids = new int[all.size()];
        double[] logProbs = new double[ids.length];
        for (int i = 0; i < ids.length; i++) {
            logProbs[i] = all.at(i).at(0).number();
            ids[i] = all.at(i).at(1).integer();
        }
        return TokenProtocol.tokens(ids, logProbs);
    }

    @Override
    public Request logProbs(int[] tokens) {
        ObjectNode body = Answers.MAPPER.createObjectNode();
        TokenProtocol.ids(body, "input_ids", tokens);
        body.putObject("sampling_params").put("max_new_tokens", 1).put("temperature", 0);
        body.put("return_logprob", true).put("logprob_start_len", 0);
        return new Request("/generate", body);
    }

    @Override
    public double[] logProbs(JsonNode answer, int[] tokens) {
        Reading all =
                Reading.of(answer).at("meta_info").at("input_token_logprobs").list(tokens.length);
        double[] values = new double[tokens.length - 1];
        for (int i = 1; i < tokens.length; i++) {
            if (all.at(i).at(1).integer() != tokens[i]) {
                throw new ServerException(
                        "the server's answer has token "
                                + all.at(i).at(1).integer()
                                + " in "
                                + all.at(i).place()
                                + ", but "
                                + tokens[i]
                                + " was asked about");
            }
            values[i - 1] = all.at(i).at(0).number();
        }
        return values;
    }

    @Override
    public Request score(int[] tokens) {
        ObjectNode body = Answers.MAPPER.createObjectNode();
        TokenProtocol.ids(body, "input_ids", tokens);
        return new Request("/classify", body);
    }

    @Override
    public double score(JsonNode answer) {
        Reading reading = Reading.of(answer);
        return (answer.isArray() ? reading.list(1).at(0) : reading)
                .at("embedding")
                .list(1)
                .at(0)
                .number();
    }
}
