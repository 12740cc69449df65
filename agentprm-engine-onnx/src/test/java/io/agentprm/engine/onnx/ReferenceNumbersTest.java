package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.agentprm.lm.DeviceChoice;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.Tensors;
import io.agentprm.lm.decode.Tokens;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.zip.GZIPInputStream;
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
                float[] logits = logits(network, ids, positions);
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

    private static float[] logits(Network network, int[] ids, int[] positions) {
        Pass pass = new Pass(1);
        pass.add(0, 0, new int[0], ids.length);
        Tokens tokens = new Tokens(1, ids.length);
        tokens.put(0, 0, ids, 0);
        long[] wanted =
                LongStream.of(java.util.Arrays.stream(positions).asLongStream().toArray())
                        .toArray();
        return network.run(pass, tokens.planes(), Optional.empty(), Questions.logits(wanted), false)
                .of(DecoderGraph.LOGITS);
    }

    private static Network network(String name) {
        ModelDirectory directory = ModelDirectory.open(SharedData.require("hf/models/" + name));
        ModelConfig config = directory.config();
        OnnxRuntime runtime = OnnxRuntime.start(DeviceChoice.CPU, 1);
        try (Tensors tensors = directory.openWeights()) {
            return new Network(
                    runtime.environment(),
                    OnnxModel.of(directory, tensors, Precision.F32).load(runtime),
                    config);
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
}
