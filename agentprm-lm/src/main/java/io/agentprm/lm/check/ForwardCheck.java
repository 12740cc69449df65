package io.agentprm.lm.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import io.agentprm.lm.check.CheckReport.Quantity;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.TensorSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Names, rotary frequencies, logits, batches, greedy continuations. */
final class ForwardCheck {
    private final ModelConfig config;
    private final Subject subject;
    private final CheckedOutputs outputs;

    ForwardCheck(ModelConfig config, Subject subject) {
        this.config = config;
        this.subject = subject;
        this.outputs = new CheckedOutputs(subject, config);
    }

    void parameterNames(CheckReport report, JsonNode block) {
        List<TensorSpec> own = config.tensors();
        report.same(block.size(), own.size());
        for (int i = 0; i < Math.min(block.size(), own.size()); i++) {
            boolean equal =
                    block.path(i).path(0).asText().equals(own.get(i).name())
                            && Arrays.equals(
                                    CheckNumbers.ints(block.path(i).path(1)),
                                    own.get(i).shape().dims().stream()
                                            .mapToInt(Long::intValue)
                                            .toArray());
            report.same(1, equal ? 1 : 0);
        }
    }

    void rotaryFrequencies(CheckReport report, JsonNode block) {
        double[] own = config.ropeFrequencies();
        JsonNode expected = block.path("inv_freq");
        report.same(expected.size(), own.length);
        for (int i = 0; i < own.length; i++) {
            report.compareRelative(Quantity.FREQUENCY, expected.path(i).asDouble(), own[i]);
        }
        report.compare(Quantity.SCALE, 1, block.path("attention_scaling").asDouble(1));
    }

    void forward(CheckReport report, JsonNode block) {
        block.forEach(entry -> entry(report, entry));
    }

    private void entry(CheckReport report, JsonNode entry) {
        int[] ids = CheckNumbers.ints(entry.path("input_ids"));
        float[][] logits = subject.logits(List.of(ids))[0];
        int[] positions = CheckNumbers.ints(entry.path("logit_positions"));
        for (int i = 0; i < positions.length; i++) {
            JsonNode expected = entry.path("logits").path(i);
            report.same(expected.size(), logits[positions[i]].length);
            for (int v = 0; v < expected.size(); v++) {
                report.compare(
                        Quantity.LOGIT, expected.path(v).asDouble(), logits[positions[i]][v]);
            }
        }
        report.same(ids.length - 1, entry.path("next_token_logprobs").size());
        double[] logProbs = outputs.logProbs(List.of(ids))[0];
        for (int t = 0; t < ids.length - 1; t++) {
            double expected = entry.path("next_token_logprobs").path(t).asDouble(Double.NaN);
            report.compare(Quantity.LOG_PROB, expected, logProbs[t]);
        }
        for (int t = 0; t < entry.path("argmax").size(); t++) {
            report.same(entry.path("argmax").path(t).asLong(), argmax(logits[t]));
        }
        for (int t = 0; t < entry.path("logsumexp").size(); t++) {
            double expected = entry.path("logsumexp").path(t).asDouble();
            report.compare(Quantity.LOGIT, expected, logSumExp(logits[t]));
        }
        if (entry.has("hidden_states")) {
            Optional<float[]> states = subject.states(ids);
            states.ifPresentOrElse(
                    own -> hiddenStates(report, entry.path("hidden_states"), own),
                    () -> report.skip("forward", "hidden states, which the engine does not show"));
        }
    }

    private static void hiddenStates(CheckReport report, JsonNode expected, float[] actual) {
        int at = 0;
        for (JsonNode layer : expected) {
            for (JsonNode position : layer) {
                for (JsonNode value : position) {
                    double own = at < actual.length ? actual[at] : Double.NaN;
                    report.compare(Quantity.HIDDEN, value.asDouble(), own);
                    at++;
                }
            }
        }
        report.same(at, actual.length);
    }

    private static int argmax(float[] values) {
        int best = 0;
        for (int i = 1; i < values.length; i++) {
            if (values[i] > values[best]) {
                best = i;
            }
        }
        return best;
    }

    private static double logSumExp(float[] values) {
        double top = values[argmax(values)];
        double sum = 0;
        for (float v : values) {
            sum += Math.exp(v - top);
        }
        return top + Math.log(sum);
    }

    /** Rows padded left or right: our batches pad right, positions count real tokens only. */
    void batch(CheckReport report, JsonNode block) {
        block.forEach(side -> batchSide(report, side));
    }

    private void batchSide(CheckReport report, JsonNode side) {
        List<int[]> rows = CheckNumbers.rows(side);
        float[][][] logits = subject.logits(rows);
        double[][] logProbs = outputs.logProbs(rows);
        int stride = side.path("last_logits_stride").asInt(1);
        for (int r = 0; r < rows.size(); r++) {
            int[] places = CheckNumbers.places(side.path("attention_mask").path(r));
            int last = Arrays.binarySearch(places, side.path("last_positions").path(r).asInt());
            JsonNode expected = side.path("last_logits").path(r);
            report.same(rows.get(r).length - 1, last);
            for (int i = 0; i < expected.size(); i++) {
                double own = logits[r][rows.get(r).length - 1][i * stride];
                report.compare(Quantity.LOGIT, expected.path(i).asDouble(), own);
            }
            for (int place : CheckNumbers.places(side.path("next_token_mask").path(r))) {
                report.compare(
                        Quantity.LOG_PROB,
                        side.path("next_token_logprobs").path(r).path(place).asDouble(),
                        logProbs[r][Arrays.binarySearch(places, place)]);
            }
        }
    }

    /** All prompts in one ragged batch with key-value caches, and those with stops apart. */
    void greedy(CheckReport report, JsonNode block) {
        List<JsonNode> entries = new ArrayList<>();
        block.forEach(entries::add);
        int length = entries.get(0).path("new_tokens").size();
        List<Generation> free = generate(entries, Set.of(), length);
        for (int i = 0; i < entries.size(); i++) {
            JsonNode entry = entries.get(i);
            compareTokens(report, entry.path("new_tokens"), free.get(i));
            double[] logProbs = free.get(i).tokens().logProbs();
            for (int t = 0; t < entry.path("token_logprobs").size(); t++) {
                double expected = entry.path("token_logprobs").path(t).asDouble();
                double own = t < logProbs.length ? logProbs[t] : Double.NaN;
                report.compare(Quantity.LOG_PROB, expected, own);
            }
            if (entry.has("with_eos")) {
                JsonNode stopping = entry.path("with_eos");
                Set<Integer> stops =
                        Arrays.stream(CheckNumbers.ints(stopping.path("eos_token_ids")))
                                .boxed()
                                .collect(Collectors.toSet());
                int limit = stopping.path("max_new_tokens").asInt();
                compareTokens(
                        report,
                        stopping.path("new_tokens"),
                        generate(List.of(entry), stops, limit).get(0));
            }
        }
    }

    private List<Generation> generate(List<JsonNode> entries, Set<Integer> stops, int length) {
        List<GenerationRequest> requests = new ArrayList<>();
        for (JsonNode entry : entries) {
            int[] prompt = CheckNumbers.ints(entry.path("prompt_ids"));
            requests.add(
                    GenerationRequest.of(prompt, 1, Sampling.greedy(length), RandomSource.of(0)));
        }
        return subject.generate(requests, stops);
    }

    private static void compareTokens(CheckReport report, JsonNode expected, Generation actual) {
        int[] own = actual.tokens().ids();
        report.same(expected.size(), own.length);
        for (int t = 0; t < Math.min(expected.size(), own.length); t++) {
            report.same(expected.path(t).asLong(), own[t]);
        }
    }
}
