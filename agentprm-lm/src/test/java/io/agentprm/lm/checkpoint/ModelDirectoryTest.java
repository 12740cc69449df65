package io.agentprm.lm.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.testing.SharedData;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelDirectoryTest {
    private static final ModelConfig TINY =
            ModelConfig.builder()
                    .vocabSize(6)
                    .hiddenSize(4)
                    .intermediateSize(6)
                    .layers(1)
                    .heads(2)
                    .eosTokenIds(List.of(2))
                    .build();

    @TempDir Path dir;

    @Test
    void publishedCheckpointsOfEveryFamilyOpen() throws IOException {
        try (Stream<Path> models = Files.list(SharedData.require("hf/models"))) {
            for (Path model : models.sorted().toList()) {
                ModelDirectory directory = ModelDirectory.open(model);
                try (Tensors weights = directory.openWeights()) {
                    for (TensorSpec spec : directory.config().tensors()) {
                        assertEquals(
                                spec.shape().elements(), weights.floats(spec.name()).remaining());
                    }
                }
            }
        }
    }

    @Test
    void shardsGiveTheSameValuesAsOneFileRoundedToBfloat16() {
        ModelDirectory whole = ModelDirectory.open(SharedData.require("hf/models/llama-untied"));
        ModelDirectory shards =
                ModelDirectory.open(SharedData.require("hf/models/llama-untied-sharded-bf16"));
        try (Tensors a = whole.openWeights();
                Tensors b = shards.openWeights()) {
            assertEquals(a.names(), b.names());
            for (String name : a.names()) {
                float[] expected = a.toArray(name);
                for (int i = 0; i < expected.length; i++) {
                    expected[i] = HalfFloats.fromBfloat16(HalfFloats.toBfloat16(expected[i]));
                }
                assertArrayEquals(expected, b.toArray(name), name);
            }
        }
    }

    @Test
    void generationConfigDecidesWhereGenerationStops() {
        Path qwen = SharedData.require("hf/models/qwen2-tied");
        assertEquals(List.of(2), ModelDirectory.open(qwen).config().eosTokenIds());
        assertEquals(List.of(2, 4), ModelDirectory.open(qwen).stopTokenIds());
        Path classifier = SharedData.require("hf/models/llama-seqcls");
        assertEquals(List.of(2), ModelDirectory.open(classifier).stopTokenIds());
    }

    @Test
    void aStopTokenOutsideOfTheVocabularyIsRefused() throws IOException {
        Path model = initialise("m", 1).path();
        Path file = model.resolve("generation_config.json");
        Files.writeString(file, "{\"eos_token_id\": [2, 6]}");
        assertOpenError(model, file + ": eos_token_id 6 lies outside of the vocabulary of 6");
    }

    @Test
    void aConfigurationThatIsCutOffIsNamedOnOneLineWithItsPlace() throws IOException {
        Path model = initialise("m", 1).path();
        Files.writeString(model.resolve("config.json"), "{\n\"model_type\": ");
        String message =
                assertThrows(LanguageModelException.class, () -> ModelDirectory.open(model))
                        .getMessage();
        assertTrue(message.contains("(line 2, column 15)"), message);
        assertEquals(1, message.lines().count(), message);
    }

    @Test
    void missingExtraAndMisshapenTensorsAreAllNamed() {
        List<TensorData> tensors = zeros(TINY);
        tensors.removeIf(t -> t.name().equals("model.norm.weight"));
        tensors.add(TensorData.of("extra", TensorShape.of(1), new float[1]));
        tensors.removeIf(t -> t.name().equals("model.embed_tokens.weight"));
        tensors.add(
                TensorData.of("model.embed_tokens.weight", TensorShape.of(7, 4), new float[28]));
        String message = createError(tensors);
        assertTrue(message.contains("3 problems"), message);
        assertTrue(message.contains("missing model.norm.weight [4]"), message);
        assertTrue(message.contains("unexpected extra [1]"), message);
        assertTrue(
                message.contains("model.embed_tokens.weight has shape [7, 4], expected [6, 4]"),
                message);
        assertTrue(Files.notExists(dir.resolve("m")), "nothing was written");
    }

    @Test
    void aTiedCheckpointMayStoreItsHeadAndAnotherMust() {
        List<TensorData> tensors = zeros(TINY);
        tensors.add(TensorData.of("lm_head.weight", TensorShape.of(6, 4), new float[24]));
        Path model = dir.resolve("m");
        ModelDirectory.create(model, TINY, tensors, ElementType.F32, CompanionFiles.none());
        ModelConfig opened = ModelDirectory.open(model).config();
        assertEquals(TINY, opened);
        assertFalse(opened.tensors().stream().anyMatch(t -> t.name().equals("lm_head.weight")));

        ModelConfig untied = TINY.toBuilder().tiedEmbeddings(false).build();
        untied.write(model.resolve("config.json"), ElementType.F32);
        assertFalse(ModelDirectory.open(model).config().tiedEmbeddings());
        Path bare = dir.resolve("bare");
        ModelDirectory.create(bare, TINY, zeros(TINY), ElementType.F32, CompanionFiles.none());
        untied.write(bare.resolve("config.json"), ElementType.F32);
        assertOpenError(bare, "missing lm_head.weight [6, 4]");
    }

    @Test
    void anEmptyDirectoryIsNoModel() throws IOException {
        assertOpenError(dir.resolve("absent"), "No such model directory");
        assertOpenError(dir, "it has no config.json");
        TINY.write(dir.resolve("config.json"), ElementType.F32);
        assertOpenError(dir, "has neither model.safetensors nor");
        Files.write(dir.resolve("model.gguf"), new byte[1]);
        assertOpenError(dir, "exported for llama.cpp");
        Files.write(dir.resolve("model.onnx.data"), new byte[1]);
        assertOpenError(dir, "exported for ONNX Runtime");
        Files.write(dir.resolve("pytorch_model.bin"), new byte[1]);
        assertOpenError(dir, "convert it to safetensors");
    }

    @Test
    void aShardIndexMustAgreeWithItsFiles() throws IOException {
        Path model = dir.resolve("m");
        ModelDirectory.create(model, TINY, zeros(TINY), ElementType.F32, CompanionFiles.none());
        Path index = model.resolve("model.safetensors.index.json");
        Files.writeString(index, "{\"weight_map\": {\"nothing\": \"model.safetensors\"}}");
        assertOpenError(model, "places nothing in model.safetensors, which does not hold it");
        Files.writeString(
                index, "{\"weight_map\": {\"model.norm.weight\": \"model.safetensors\"}}");
        assertOpenError(model, "which the index does not place there");
        Files.writeString(index, "{\"weight_map\": {\"x\": \"../other.safetensors\"}}");
        assertOpenError(model, "is outside the directory");
    }

    @Test
    void aShardThatIsMissingIsNamed() throws IOException {
        Path model = Files.createDirectory(dir.resolve("m"));
        TINY.write(model.resolve("config.json"), ElementType.F32);
        Files.writeString(
                model.resolve("model.safetensors.index.json"),
                "{\"weight_map\": {\"model.norm.weight\": \"model-00002.safetensors\"}}");
        assertOpenError(model, "No such weight file: " + model.resolve("model-00002.safetensors"));
    }

    @Test
    void weightsThatAreNoFloatsAreRefusedOnOpening() throws IOException {
        Path model = dir.resolve("m");
        ModelDirectory.create(model, TINY, zeros(TINY), ElementType.F32, CompanionFiles.none());
        Path file = model.resolve("model.safetensors");
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        Files.writeString(
                file,
                text.replace(
                        "\"model.norm.weight\":{\"dtype\":\"F32\"",
                        "\"model.norm.weight\":{\"dtype\":\"I32\""),
                StandardCharsets.ISO_8859_1);
        assertOpenError(model, "tensor model.norm.weight holds I32; F32, BF16 and F16 can be read");
    }

    @Test
    void newModelsAreTheSameBytesForTheSameSeed() {
        String first = initialise("a", 7).contentHash();
        assertEquals(first, initialise("b", 7).contentHash());
        assertNotEquals(first, initialise("c", 8).contentHash());
    }

    @Test
    void newModelsHaveNormalWeightsOfTheStatedDeviation() {
        ModelConfig config =
                TINY.toBuilder().vocabSize(64).hiddenSize(64).intermediateSize(256).build();
        ModelDirectory model =
                ModelInitializer.create(
                        dir.resolve("m"), config, Initialization.FAN_IN, 1, Optional.empty());
        try (Tensors weights = model.openWeights()) {
            assertMoments(weights.toArray("model.layers.0.mlp.up_proj.weight"), 1 / 8.0);
            assertMoments(
                    weights.toArray("model.layers.0.mlp.down_proj.weight"),
                    1 / 16.0 / Math.sqrt(2));
            assertEquals(1, weights.toArray("model.norm.weight")[3]);
        }
    }

    @Test
    void aScoreHeadIsAddedBesideTheLanguageHead() {
        ModelDirectory source = initialise("a", 7);
        ModelDirectory scored =
                ModelInitializer.addScoreHead(source.path(), dir.resolve("s"), 3, true);
        assertTrue(scored.config().scoreHead());
        assertTrue(scored.config().scoreBias());
        assertTrue(scored.config().languageHead());
        try (Tensors before = source.openWeights();
                Tensors after = scored.openWeights()) {
            for (String name : before.names()) {
                assertArrayEquals(before.toArray(name), after.toArray(name), name);
            }
            assertArrayEquals(new float[1], after.toArray("score.bias"));
            assertNotEquals(0f, after.toArray("score.weight")[0]);
        }
        LanguageModelException e =
                assertThrows(
                        LanguageModelException.class,
                        () ->
                                ModelInitializer.addScoreHead(
                                        scored.path(), dir.resolve("t"), 3, true));
        assertTrue(e.getMessage().contains("has a score head already"), e.getMessage());
    }

    @Test
    void aModelMadeFromAnotherKeepsWhatOtherToolsReadBesideTheWeights() throws IOException {
        Path source = initialise("a", 7).path();
        List<String> kept =
                List.of(
                        "LICENSE.txt",
                        "chat_template.jinja",
                        "special_tokens_map.json",
                        "tokenizer.json",
                        "tokenizer_config.json");
        for (String name : kept) {
            Files.writeString(source.resolve(name), name + " as it was");
        }
        String generation = "{\"eos_token_id\": [3, 2], \"temperature\": 0.6, \"top_p\": 0.9}";
        Files.writeString(source.resolve("generation_config.json"), generation);
        Files.writeString(source.resolve("optimizer.pt"), "no part of the model");
        ModelDirectory made = ModelInitializer.addScoreHead(source, dir.resolve("s"), 3, true);
        for (String name : kept) {
            assertEquals(name + " as it was", Files.readString(made.path().resolve(name)));
        }
        assertEquals(generation, Files.readString(made.path().resolve("generation_config.json")));
        assertEquals(List.of(3, 2), made.stopTokenIds());
        assertTrue(Files.notExists(made.path().resolve("optimizer.pt")));
    }

    @Test
    void anExistingDirectoryIsNeverOverwritten() {
        initialise("a", 7);
        LanguageModelException e =
                assertThrows(LanguageModelException.class, () -> initialise("a", 8));
        assertTrue(e.getMessage().contains("exists already"), e.getMessage());
    }

    @Test
    void aFailedWriteLeavesNoDirectoryAndIsRepaired() throws IOException {
        Path target = dir.resolve("t");
        assertThrows(
                LanguageModelException.class,
                () ->
                        AtomicDirectory.create(
                                target,
                                d -> {
                                    Files.writeString(d.resolve("half"), "x");
                                    throw new IOException("disk full");
                                }));
        try (Stream<Path> files = Files.list(dir)) {
            assertEquals(List.of(), files.toList(), "a disk that is full is not kept full");
        }
        AtomicDirectory.create(target, d -> Files.writeString(d.resolve("whole"), "y"));
        try (Stream<Path> files = Files.list(target)) {
            assertEquals(List.of(target.resolve("whole")), files.toList());
        }
    }

    @Test
    void anEmptyDirectoryMayBeFilled() throws IOException {
        Path target = Files.createDirectory(dir.resolve("t"));
        AtomicDirectory.create(target, d -> Files.writeString(d.resolve("x"), "y"));
        assertEquals("y", Files.readString(target.resolve("x")));
    }

    @Test
    void theContentHashSeesNamesAndContents() throws IOException {
        Path a = Files.createDirectory(dir.resolve("a"));
        Path b = Files.createDirectory(dir.resolve("b"));
        Files.writeString(a.resolve("x"), "1");
        Files.writeString(b.resolve("x"), "1");
        assertEquals(ContentHash.of(a), ContentHash.of(b));
        Files.writeString(b.resolve("x"), "2");
        assertNotEquals(ContentHash.of(a), ContentHash.of(b));
        Files.delete(b.resolve("x"));
        Files.writeString(b.resolve("y"), "1");
        assertNotEquals(ContentHash.of(a), ContentHash.of(b));
    }

    private ModelDirectory initialise(String name, long seed) {
        return ModelInitializer.create(
                dir.resolve(name),
                TINY.toBuilder().previousTokenEmbedding(true).build(),
                Initialization.FAN_IN,
                seed,
                Optional.empty());
    }

    private static List<TensorData> zeros(ModelConfig config) {
        List<TensorData> out = new ArrayList<>();
        for (TensorSpec spec : config.tensors()) {
            out.add(
                    TensorData.of(
                            spec.name(), spec.shape(), new float[(int) spec.shape().elements()]));
        }
        return out;
    }

    private String createError(List<TensorData> tensors) {
        return assertThrows(
                        LanguageModelException.class,
                        () ->
                                ModelDirectory.create(
                                        dir.resolve("m"),
                                        TINY,
                                        tensors,
                                        ElementType.F32,
                                        CompanionFiles.none()))
                .getMessage();
    }

    private static void assertOpenError(Path path, String message) {
        LanguageModelException e =
                assertThrows(LanguageModelException.class, () -> ModelDirectory.open(path));
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    private static void assertMoments(float[] values, double deviation) {
        double mean = 0;
        double square = 0;
        for (float v : values) {
            mean += v / values.length;
            square += (double) v * v / values.length;
        }
        assertEquals(0, mean, 4 * deviation / Math.sqrt(values.length));
        assertEquals(deviation, Math.sqrt(square), 0.03 * deviation);
    }
}
