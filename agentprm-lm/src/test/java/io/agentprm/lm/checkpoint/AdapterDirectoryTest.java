package io.agentprm.lm.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.testing.SharedData;
import io.agentprm.lm.testing.TinyModels;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories in PEFT's layout are model directories. */
class AdapterDirectoryTest {
    private static final String VALUE = "model.layers.1.self_attn.v_proj.weight";

    @TempDir Path dir;
    private ModelDirectory base;

    @BeforeEach
    void create() {
        ModelConfig config =
                TinyModels.config(32, 2, 48).toBuilder().scoreBias(false).scoreHead(false).build();
        base = ModelDirectory.open(TinyModels.create(dir, "base", 5, config));
    }

    private ModelDirectory adapter(String name, boolean scoreHead, long seed) {
        return AdapterInitializer.create(
                base, dir.resolve(name), LoraConfig.defaults(), scoreHead, seed, List.of(2, 7));
    }

    @Test
    void aNewAdapterIsUniformInItsInputsAndNothingInItsOutputs() {
        LoraAdapter adapter = adapter("a", false, 3).adapter().orElseThrow();
        LoraAdapter.Factors factors = adapter.factors(VALUE);
        double bound = 1 / Math.sqrt(32);
        double largest = 0;
        double sum = 0;
        for (float a : factors.a()) {
            largest = Math.max(largest, Math.abs(a));
            sum += a;
        }
        assertTrue(largest <= bound && largest > 0.95 * bound, "largest " + largest);
        assertEquals(0, sum / factors.a().length, bound / 8, "mean");
        assertArrayEquals(new float[factors.b().length], factors.b());
        try (Tensors merged = ModelDirectory.open(dir.resolve("a")).openWeights();
                Tensors weights = base.openWeights()) {
            assertEquals(weights.names(), merged.names());
            assertArrayEquals(weights.toArray(VALUE), merged.toArray(VALUE));
        }
    }

    @Test
    void theSameSeedGivesTheSameBytesAndAnotherOneOthers() {
        String hash = adapter("a", true, 3).contentHash();
        assertEquals(hash, adapter("b", true, 3).contentHash());
        assertNotEquals(hash, adapter("c", true, 4).contentHash());
    }

    @Test
    void whatAnAdapterLacksIsItsBases() {
        ModelDirectory model = adapter("a", false, 3);
        assertEquals(List.of(2, 7), model.stopTokenIds());
        assertEquals(base.config(), model.config());
        assertEquals(base.path().toAbsolutePath(), model.base().path());
        assertTrue(model.tokenizerFile().orElseThrow().startsWith(model.path()));
    }

    @Test
    void aScoreHeadBelongsToTheAdapterThatGotIt() {
        ModelDirectory policy = adapter("policy", false, 3);
        ModelDirectory judge =
                ModelInitializer.addScoreHead(policy.path(), dir.resolve("judge"), 9, false);
        assertTrue(judge.config().scoreHead());
        assertEquals(base.path().toAbsolutePath(), judge.base().path());
        assertArrayEquals(
                policy.adapter().orElseThrow().factors(VALUE).a(),
                judge.adapter().orElseThrow().factors(VALUE).a());
        try (Tensors weights = judge.openWeights()) {
            assertEquals(
                    TensorShape.of(1, 32), weights.shape(ModelConfig.SCORE_WEIGHT), "its shape");
        }
    }

    @Test
    void mergedWeightsAreThoseOfTheModelDirectory() {
        ModelDirectory published =
                ModelDirectory.open(SharedData.require("hf/models/llama32-tied"))
                        .adapted(SharedData.require("hf/adapters/llama32-tied-lora"));
        ModelDirectory merged = WholeModel.write(published, dir.resolve("merged"), ElementType.F32);
        try (Tensors a = published.openWeights();
                Tensors b = merged.openWeights();
                Tensors plain = published.base().openWeights()) {
            assertArrayEquals(a.toArray(VALUE), b.toArray(VALUE));
            assertNotEquals(plain.toArray(VALUE)[0], b.toArray(VALUE)[0]);
        }
    }

    @Test
    void aPieceOfAMergedWeightIsThatOfTheWholeOne() {
        try (Tensors merged =
                ModelDirectory.open(SharedData.require("hf/models/llama32-tied"))
                        .adapted(SharedData.require("hf/adapters/llama32-tied-lora"))
                        .openWeights()) {
            float[] whole = merged.toArray(VALUE);
            float[] pieces = new float[whole.length];
            // 57 fits neither rows nor their number.
            for (int from = 0; from < whole.length; from += 57) {
                int count = Math.min(57, whole.length - from);
                merged.read(VALUE, from, FloatBuffer.wrap(pieces, from, count));
            }
            assertArrayEquals(whole, pieces);
        }
    }

    @Test
    void tensorsAndKeysAreNamedAsPeftNamesThem() throws IOException {
        Path published = SharedData.require("hf/adapters/llama32-tied-lora");
        ModelDirectory model = ModelDirectory.open(SharedData.require("hf/models/llama32-tied"));
        LoraConfig lora = new LoraConfig(4, 8, List.of("v_proj", "q_proj"), 0, false);
        Path own =
                AdapterInitializer.create(
                                model, dir.resolve("own"), lora, false, 1, model.stopTokenIds())
                        .path();
        assertEquals(names(published), names(own));
        JsonNode theirs = Json.readObject(published.resolve("adapter_config.json"));
        JsonNode ours = Json.readObject(own.resolve("adapter_config.json"));
        Set<String> places = Set.of("base_model_name_or_path", "revision");
        ours.properties().stream()
                .filter(key -> !places.contains(key.getKey()))
                .forEach(
                        key -> {
                            JsonNode value = theirs.path(key.getKey());
                            assertEquals(
                                    value.isNumber() ? value.asDouble() + "" : value.toString(),
                                    key.getValue().isNumber()
                                            ? key.getValue().asDouble() + ""
                                            : key.getValue().toString(),
                                    key.getKey());
                        });
        assertTrue(ours.path("revision").asText().startsWith("sha256:"));
        Path judge = ModelInitializer.addScoreHead(own, dir.resolve("judge"), 2, false).path();
        Set<String> more = new TreeSet<>(names(judge));
        more.removeAll(names(own));
        assertEquals(Set.of("base_model.model.score.weight"), more);
        JsonNode head = Json.readObject(judge.resolve("adapter_config.json"));
        assertEquals("[\"classifier\",\"score\"]", head.path("modules_to_save").toString());
        assertEquals("SEQ_CLS", head.path("task_type").asText());
    }

    private static Set<String> names(Path adapter) {
        try (SafetensorsFile file =
                SafetensorsFile.open(adapter.resolve("adapter_model.safetensors"))) {
            return new TreeSet<>(file.names());
        }
    }

    @Test
    void aBaseThatIsAnotherOneNowIsRefused() throws IOException {
        ModelDirectory model = adapter("a", false, 3);
        Path elsewhere = TinyModels.create(dir, "other", 6, base.config());
        Files.copy(
                elsewhere.resolve("model.safetensors"),
                base.path().resolve("model.safetensors"),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertRefused(model.path(), "was made for other weights");
    }

    @Test
    void aFileBesideTheWeightsOfTheBaseChangesNothing() throws IOException {
        ModelDirectory model = adapter("a", false, 3);
        Files.writeString(base.path().resolve("README.md"), "Moved.");
        assertEquals(base.config(), ModelDirectory.open(model.path()).config());
    }

    @Test
    void aMissingBaseIsRefusedWithItsPlace() throws IOException {
        ModelDirectory model = adapter("a", false, 3);
        Files.delete(base.path().resolve("config.json"));
        assertRefused(model.path(), base.path() + " is no directory with a config.json");
    }

    @Test
    void anAdapterIsNoBase() {
        ModelDirectory model = adapter("a", false, 3);
        LanguageModelException e =
                assertThrows(
                        LanguageModelException.class,
                        () ->
                                AdapterInitializer.create(
                                        model,
                                        dir.resolve("b"),
                                        LoraConfig.defaults(),
                                        false,
                                        1,
                                        List.of()));
        assertTrue(e.getMessage().contains("is an adapter already"), e.getMessage());
    }

    @Test
    void aBaseThatIsReachedByALinkIsTheModelItself() throws IOException {
        Path link = Files.createSymbolicLink(dir.resolve("link"), base.path().getFileName());
        assertEquals(base.weightsHash(), ModelDirectory.open(link).weightsHash());
        Path adapter =
                AdapterInitializer.create(
                                ModelDirectory.open(link),
                                dir.resolve("a"),
                                LoraConfig.defaults(),
                                false,
                                3,
                                List.of(2))
                        .path();
        assertEquals(base.config(), ModelDirectory.open(adapter).config());
        Path other = TinyModels.create(dir, "other", 6, base.config());
        Files.delete(link);
        Files.createSymbolicLink(link, other.getFileName());
        assertRefused(adapter, "was made for other weights");
    }

    @Test
    void anAdapterBesideTheConfigurationOfItsBaseIsAnAdapter() throws IOException {
        Path adapter = adapter("a", false, 3).path();
        Files.copy(base.path().resolve("config.json"), adapter.resolve("config.json"));
        assertTrue(ModelDirectory.open(adapter).adapter().isPresent());
    }

    @Test
    void keysOfPeftThatAreOffOrDoNotChangeNumbersAreRead() throws IOException {
        Path adapter = adapter("a", false, 3).path();
        for (String harmless :
                List.of(
                        "\"peft_version\": \"0.18.0\"",
                        "\"alora_invocation_tokens\": null",
                        "\"use_dora\": false",
                        "\"a_key_of_tomorrow\": []",
                        "\"qalora_group_size\": 16",
                        "\"layers_to_transform\": [0, 1]",
                        "\"init_lora_weights\": \"gaussian\"",
                        "\"init_lora_weights\": null")) {
            say(adapter, harmless);
            assertTrue(ModelDirectory.open(adapter).adapter().isPresent(), harmless);
        }
    }

    @Test
    void keysOfPeftThatMayMeanOtherNumbersAreRefused() throws IOException {
        Path adapter = adapter("a", false, 3).path();
        for (String key :
                List.of(
                        "alora_invocation_tokens\": [1, 2]",
                        "use_qalora\": true",
                        "rank_pattern\": {\"q_proj\": 2}",
                        "layer_replication\": [[0, 1]]",
                        "a_key_of_tomorrow\": 3")) {
            say(adapter, "\"" + key);
            assertRefused(adapter, key.substring(0, key.indexOf('"')) + " is not supported");
            assertRefused(adapter, "merge it into its base with PEFT's merge_and_unload");
        }
        for (String start : List.of("pissa", "pissa_niter_4", "olora", "loftq", "corda")) {
            say(adapter, "\"init_lora_weights\": \"" + start + "\"");
            assertRefused(adapter, "init_lora_weights " + start + " changed the weights");
        }
    }

    /** Writes the adapter's configuration with one key more, or another value of one. */
    private static void say(Path adapter, String key) throws IOException {
        Path file = adapter.resolve("adapter_config.json");
        ObjectNode json = (ObjectNode) Json.readObject(file);
        json.put("init_lora_weights", true);
        json.remove(
                List.of(
                        "alora_invocation_tokens",
                        "use_qalora",
                        "rank_pattern",
                        "layer_replication",
                        "a_key_of_tomorrow"));
        json.setAll((ObjectNode) Json.MAPPER.readTree("{" + key + "}"));
        Json.write(file, json);
    }

    private static void assertRefused(Path directory, String reason) {
        LanguageModelException e =
                assertThrows(LanguageModelException.class, () -> ModelDirectory.open(directory));
        assertTrue(e.getMessage().contains(reason), e.getMessage());
    }
}
