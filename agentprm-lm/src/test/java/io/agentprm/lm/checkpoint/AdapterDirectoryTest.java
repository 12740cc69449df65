package io.agentprm.lm.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
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
        ModelDirectory merged = AdapterInitializer.merge(published, dir.resolve("merged"));
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

    private static void assertRefused(Path directory, String reason) {
        LanguageModelException e =
                assertThrows(LanguageModelException.class, () -> ModelDirectory.open(directory));
        assertTrue(e.getMessage().contains(reason), e.getMessage());
    }
}
