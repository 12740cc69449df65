package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import io.agentprm.lm.DeviceChoice;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.Tensors;
import io.agentprm.lm.decode.Conversations;
import io.agentprm.lm.decode.Tokens;
import io.agentprm.lm.testing.SharedData;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against numbers that the real Hugging Face code wrote. */
class ReferenceNumbersTest {
    private static final double TOLERANCE = 2e-4;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "llama32-tied",
                "llama32-tied-bf16",
                "llama32-shortrope",
                "llama-untied",
                "llama-untied-sharded-bf16",
                "qwen2-tied",
                "qwen3-tied"
            })
    void logitsAreThoseOfTheOriginalCode(String name) throws IOException {
        JsonNode expected = expected(name);
        int compared = 0;
        try (Network network = network(name)) {
            for (JsonNode entry : expected.path("forward")) {
                int[] ids = ints(entry.path("input_ids"));
                int[] positions = ints(entry.path("logit_positions"));
                float[] logits = logits(network, directory(name).config(), ids, positions);
                int at = 0;
                for (JsonNode row : entry.path("logits")) {
                    for (JsonNode logit : row) {
                        assertEquals(logit.asDouble(), logits[at++], TOLERANCE);
                    }
                }
                assertEquals(at, logits.length);
                compared += at;
            }
        }
        assertTrue(compared > 1000, () -> name + " has no logits to compare with");
    }

    /** All prompts in one ragged batch, with key-value caches. */
    @ParameterizedTest
    @ValueSource(strings = {"llama32-tied", "llama-untied", "qwen2-tied", "qwen3-tied"})
    void greedyContinuationsAreThoseOfTheOriginalCode(String name) throws IOException {
        JsonNode expected = expected(name).path("greedy");
        ModelConfig config = directory(name).config();
        try (Network network = network(name);
                KeyValueMemory memory = new KeyValueMemory(config, network.moves())) {
            Conversations conversations = new Conversations(memory, 1 << 26);
            List<GenerationRequest> requests = new ArrayList<>();
            for (JsonNode entry : expected) {
                requests.add(
                        GenerationRequest.of(
                                ints(entry.path("prompt_ids")),
                                1,
                                Sampling.greedy(entry.path("new_tokens").size()),
                                RandomSource.of(0)));
            }
            List<Conversations.Entry> caches =
                    conversations.open(Collections.nCopies(requests.size(), Optional.empty()));
            List<List<Generation>> replies = new ArrayList<>();
            new Continuations(
                            network,
                            conversations,
                            memory,
                            new Prompts(network, memory, 8192),
                            Set.of(),
                            config.contextLength())
                    .run(requests, caches, replies);
            for (int i = 0; i < requests.size(); i++) {
                Generation reply = replies.get(i).get(0);
                assertArrayEquals(ints(expected.path(i).path("new_tokens")), reply.tokens().ids());
                assertArrayEquals(
                        doubles(expected.path(i).path("token_logprobs")),
                        reply.tokens().logProbs(),
                        TOLERANCE);
            }
            assertTrue(requests.size() > 1, name + " has no batch of prompts");
        }
    }

    /** Right-padded rows of different lengths go through the network without their padding. */
    @Test
    void scoresOfAClassifierAreThoseOfTheOriginalCode() throws IOException {
        JsonNode block = expected("llama-seqcls").path("right_padded");
        try (Network network = network("llama-seqcls")) {
            List<int[]> rows = new ArrayList<>();
            for (int r = 0; r < block.path("input_ids").size(); r++) {
                int[] ids = ints(block.path("input_ids").path(r));
                int length = Arrays.stream(ints(block.path("attention_mask").path(r))).sum();
                rows.add(Arrays.copyOf(ids, length));
            }
            Pass pass = new Pass(rows.size());
            Tokens tokens = new Tokens(1, rows.stream().mapToInt(row -> row.length).sum());
            for (int r = 0; r < rows.size(); r++) {
                tokens.put(0, pass.tokens(), rows.get(r), 0);
                pass.add(r, 0, new int[0], 0, rows.get(r).length);
            }
            long[] marks = LongStream.range(0, pass.tokens()).toArray();
            float[] scores;
            try (PassingCaches caches =
                    new PassingCaches(
                            network.moves(),
                            directory("llama-seqcls").config(),
                            rows.size(),
                            pass.width())) {
                scores =
                        network.run(pass, tokens.planes(), caches, Questions.scores(marks))
                                .of(DecoderGraph.SCORES);
            }
            int at = 0;
            for (int r = 0; r < rows.size(); r++) {
                for (int t = 0; t < rows.get(r).length; t++) {
                    double score = block.path("score_all_positions").path(r).path(t).asDouble();
                    assertEquals(score, scores[at++], TOLERANCE, "row " + r + ", token " + t);
                }
            }
            assertEquals(at, scores.length);
        }
    }

    private static float[] logits(Network network, ModelConfig config, int[] ids, int[] positions) {
        Pass pass = new Pass(1);
        pass.add(0, 0, new int[0], 0, ids.length);
        Tokens tokens = new Tokens(1, ids.length);
        tokens.put(0, 0, ids, 0);
        long[] wanted = Arrays.stream(positions).asLongStream().toArray();
        try (PassingCaches caches = new PassingCaches(network.moves(), config, 1, ids.length)) {
            return network.run(pass, tokens.planes(), caches, Questions.logits(wanted))
                    .of(DecoderGraph.LOGITS)
                    .clone();
        }
    }

    private static ModelDirectory directory(String name) {
        return ModelDirectory.open(SharedData.require("hf/models/" + name));
    }

    private static Network network(String name) {
        ModelDirectory directory = directory(name);
        ModelConfig config = directory.config();
        OnnxRuntime runtime = OnnxRuntime.start(DeviceChoice.CPU, 1);
        try (Tensors tensors = directory.openWeights()) {
            Session session = OnnxModel.of(directory, tensors, Precision.F32).load(runtime);
            return new Network(session, runtime.moves(session), config);
        }
    }

    private static JsonNode expected(String name) throws IOException {
        Path file = SharedData.require("hf/expected/" + name + ".json.gz");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return JsonMapper.builder().build().readTree(in);
        }
    }

    private static int[] ints(JsonNode array) {
        int[] out = new int[array.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = array.path(i).asInt();
        }
        return out;
    }

    private static double[] doubles(JsonNode array) {
        double[] out = new double[array.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = array.path(i).asDouble();
        }
        return out;
    }
}
