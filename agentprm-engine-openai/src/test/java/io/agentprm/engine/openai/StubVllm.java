package io.agentprm.engine.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.run.RandomSource;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Answers like vLLM, from a model whose next token depends on the last one by a hash. */
final class StubVllm {
    private final int vocabulary;

    StubVllm(int vocabulary) {
        this.vocabulary = vocabulary;
    }

    StubServer.Reply answer(StubServer.Received received) {
        JsonNode body = received.body();
        return switch (received.path()) {
            case "/v1/completions" ->
                    StubServer.json(
                            body.has("prompt_logprobs") ? promptLogProbs(body) : completion(body));
            case "/pooling" -> StubServer.json(pooling(body));
            default -> exchange -> exchange.sendResponseHeaders(404, -1);
        };
    }

    /** Log-probabilities of every token after a last one. */
    double[] logProbs(int last) {
        RandomGenerator random = RandomSource.of(99).derive(last).generator();
        double[] logits = new double[vocabulary];
        Arrays.setAll(logits, i -> 3 * random.nextDouble());
        double total = Arrays.stream(logits).map(Math::exp).sum();
        return Arrays.stream(logits).map(l -> l - Math.log(total)).toArray();
    }

    private ObjectNode completion(JsonNode body) {
        int[] prompt = ids(body.path("prompt"));
        int last = prompt[prompt.length - 1];
        RandomGenerator random = RandomSource.of(body.path("seed").asLong()).generator();
        ObjectNode answer = Answers.MAPPER.createObjectNode();
        ObjectNode logProbs = answer.putArray("choices").addObject().putObject("logprobs");
        ArrayNode tokens = logProbs.putArray("tokens");
        ArrayNode values = logProbs.putArray("token_logprobs");
        int end = body.path("stop_token_ids").path(0).asInt();
        for (int i = 0; i < body.path("max_tokens").asInt(); i++) {
            double[] all = logProbs(last);
            double left = random.nextDouble();
            int next = 0;
            while (next < vocabulary - 1 && (left -= Math.exp(all[next])) >= 0) {
                next++;
            }
            tokens.add("token_id:" + next);
            values.add(all[next]);
            last = next;
            if (next == end) {
                break;
            }
        }
        return answer;
    }

    private ObjectNode promptLogProbs(JsonNode body) {
        int[] prompt = ids(body.path("prompt"));
        ObjectNode answer = Answers.MAPPER.createObjectNode();
        ArrayNode all = answer.putArray("choices").addObject().putArray("prompt_logprobs");
        all.addNull();
        for (int i = 1; i < prompt.length; i++) {
            all.addObject()
                    .putObject(Integer.toString(prompt[i]))
                    .put("logprob", logProbs(prompt[i - 1])[prompt[i]]);
        }
        return answer;
    }

    /** The score of a sequence is the sum of its ids over a hundred. */
    private static ObjectNode pooling(JsonNode body) {
        ObjectNode answer = Answers.MAPPER.createObjectNode();
        answer.putArray("data")
                .addObject()
                .putArray("data")
                .add(Arrays.stream(ids(body.path("input"))).sum() / 100.0);
        return answer;
    }

    private static int[] ids(JsonNode array) {
        int[] ids = new int[array.size()];
        Arrays.setAll(ids, i -> array.get(i).asInt());
        return ids;
    }
}
