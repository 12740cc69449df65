package io.agentprm.lm.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.testing.SharedData;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against numbers that the real Hugging Face code wrote. */
class ReferenceNumbersTest {
    @TempDir Path dir;

    @Test
    void parametersHaveHuggingFacesNamesShapesAndOrder() throws IOException {
        for (String model : List.of("llama32-tied", "llama-untied", "qwen2-tied", "qwen3-tied")) {
            JsonNode names = expected(model).path("param_names");
            List<TensorSpec> tensors =
                    ModelConfig.read(SharedData.require("hf/models/" + model + "/config.json"))
                            .tensors();
            assertEquals(names.size(), tensors.size(), model);
            int i = 0;
            for (JsonNode entry : names) {
                TensorSpec spec = tensors.get(i++);
                assertEquals(entry.path(0).asText(), spec.name());
                assertEquals(entry.path(1).toString(), spec.shape().toString().replace(" ", ""));
            }
        }
    }

    @Test
    void rotaryFrequenciesMatch() throws IOException {
        for (String model :
                List.of("llama32-tied", "llama32-shortrope", "llama-untied", "qwen3-tied")) {
            ModelConfig config =
                    ModelConfig.read(SharedData.require("hf/models/" + model + "/config.json"));
            assertFrequencies(config, expected(model).path("rope").path("inv_freq"), model);
        }
    }

    @Test
    void rotaryAnglesOfPublishedModelsMatch() throws IOException {
        for (Map.Entry<String, JsonNode> model : expected("rope_tables").properties()) {
            JsonNode table = model.getValue();
            ModelConfig config = withRope(table.path("config"));
            assertFrequencies(config, table.path("inv_freq"), model.getKey());
            double[] frequencies = config.ropeFrequencies();
            for (int p = 0; p < table.path("positions").size(); p++) {
                int position = table.path("positions").path(p).asInt();
                // The reference computes angles in single precision, which shows far out.
                double tolerance = position > 100 ? 1e-3 : 1e-5;
                JsonNode cosines = table.path("cos_first_half").path(p);
                for (int i = 0; i < frequencies.length; i++) {
                    assertEquals(
                            cosines.path(i).asDouble(),
                            Math.cos(position * frequencies[i]),
                            tolerance,
                            model.getKey());
                }
            }
        }
    }

    private ModelConfig withRope(JsonNode rope) throws IOException {
        ObjectNode json = rope.deepCopy();
        json.put("model_type", "llama").put("vocab_size", 8).put("intermediate_size", 8);
        json.put("num_hidden_layers", 1);
        Path file = dir.resolve("config.json");
        return ModelConfig.read(Files.writeString(file, json.toString()));
    }

    @Test
    void anAdapterIsReadAndMerged() {
        ModelDirectory base = ModelDirectory.open(SharedData.require("hf/models/llama32-tied"));
        LoraAdapter adapter =
                LoraAdapter.read(
                        SharedData.require("hf/adapters/llama32-tied-lora"), base.config());
        assertEquals(2, adapter.scale());
        String value = "model.layers.1.self_attn.v_proj.weight";
        assertEquals(
                Set.of(
                        "model.layers.0.self_attn.q_proj.weight",
                        "model.layers.0.self_attn.v_proj.weight",
                        "model.layers.1.self_attn.q_proj.weight",
                        value),
                adapter.weights());
        LoraAdapter.Factors f = adapter.factors(value);
        try (Tensors weights = base.openWeights()) {
            float[] w = weights.toArray(value);
            float[] merged = adapter.merge(value, w);
            int out = 5;
            int in = 9;
            double change = 0;
            for (int r = 0; r < 4; r++) {
                change += f.b()[out * 4 + r] * f.a()[r * 64 + in];
            }
            assertEquals(w[out * 64 + in] + 2 * change, merged[out * 64 + in], 1e-6);
        }
    }

    @Test
    void adaptersBeyondPlainLoraAreRefused() throws IOException {
        Path source = SharedData.require("hf/adapters/llama32-tied-lora");
        ModelConfig config =
                ModelConfig.read(SharedData.require("hf/models/llama32-tied/config.json"));
        String json = Files.readString(source.resolve("adapter_config.json"));
        Files.copy(
                source.resolve("adapter_model.safetensors"),
                dir.resolve("adapter_model.safetensors"));
        Map<String, String> changes =
                Map.of(
                        "\"use_dora\": false", "\"use_dora\": true",
                        "\"modules_to_save\": null", "\"modules_to_save\": [\"lm_head\"]",
                        "\"alpha_pattern\": {}", "\"alpha_pattern\": {\"q_proj\": 3}",
                        "\"bias\": \"none\"", "\"bias\": \"all\"",
                        "\"r\": 4", "\"r\": 8");
        for (Map.Entry<String, String> change : changes.entrySet()) {
            String changed = json.replace(change.getKey(), change.getValue());
            assertTrue(!changed.equals(json), change.getKey());
            Files.writeString(dir.resolve("adapter_config.json"), changed);
            assertThrows(
                    LanguageModelException.class,
                    () -> LoraAdapter.read(dir, config),
                    change.getValue());
        }
    }

    private static void assertFrequencies(ModelConfig config, JsonNode expected, String name) {
        double[] actual = config.ropeFrequencies();
        assertEquals(expected.size(), actual.length, name);
        for (int i = 0; i < actual.length; i++) {
            double e = expected.path(i).asDouble();
            assertEquals(e, actual[i], 1e-6 * e, name + " frequency " + i);
        }
    }

    private static JsonNode expected(String model) throws IOException {
        Path file = SharedData.require("hf/expected/" + model + ".json.gz");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return Json.MAPPER.readTree(in);
        }
    }
}
