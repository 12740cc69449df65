package io.agentprm.lm.gguf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.checkpoint.Initialization;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.ModelFamily;
import io.agentprm.lm.checkpoint.ModelInitializer;
import io.agentprm.lm.checkpoint.RopeScaling;
import io.agentprm.lm.checkpoint.Tensors;
import io.agentprm.lm.testing.TinyModels;
import io.agentprm.lm.tokenizer.WordTrainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exported models, read back by a reader of the tests. */
class GgufExportTest {
    private static final String GPT2 =
            "{\"type\": \"ByteLevel\", \"add_prefix_space\": false, \"use_regex\": true}";

    @TempDir private Path dir;

    private static ModelConfig.Builder config(ModelFamily family) {
        return ModelConfig.builder()
                .family(family)
                .vocabSize(TinyModels.VOCABULARY)
                .hiddenSize(32)
                .intermediateSize(48)
                .layers(2)
                .heads(4)
                .kvHeads(2)
                .contextLength(512)
                .rmsNormEps(1e-6)
                .ropeTheta(20_000)
                .bosTokenId(1)
                .padTokenId(0)
                .eosTokenIds(List.of(2));
    }

    private Path model(ModelConfig.Builder config) {
        return TinyModels.create(dir, "model", 3, config.build());
    }

    private GgufReading exported(Path model, GgufPrecision precision) {
        Path target = dir.resolve("exported-" + precision);
        GgufExport.write(model, target, precision);
        return GgufReading.of(target.resolve(GgufExport.FILE));
    }

    private static float[] source(Path model, String name) {
        try (Tensors weights = ModelDirectory.open(model).openWeights()) {
            return weights.toArray(name);
        }
    }

    private static void refused(Path model, Path target, String part) {
        LanguageModelException e =
                assertThrows(
                        LanguageModelException.class,
                        () -> GgufExport.write(model, target, GgufPrecision.F32));
        assertTrue(e.getMessage().contains(part), e.getMessage());
        assertFalse(Files.exists(target));
    }

    @Test
    void theShapeOfAModelIsSaidInTheKeysOfItsArchitecture() {
        Map<String, Object> keys =
                exported(model(config(ModelFamily.LLAMA).headDim(16)), GgufPrecision.F32).metadata;
        assertEquals("llama", keys.get("general.architecture"));
        assertEquals(0, keys.get("general.file_type"));
        assertEquals(TinyModels.VOCABULARY, keys.get("llama.vocab_size"));
        assertEquals(512, keys.get("llama.context_length"));
        assertEquals(32, keys.get("llama.embedding_length"));
        assertEquals(2, keys.get("llama.block_count"));
        assertEquals(48, keys.get("llama.feed_forward_length"));
        assertEquals(4, keys.get("llama.attention.head_count"));
        assertEquals(2, keys.get("llama.attention.head_count_kv"));
        assertEquals(16, keys.get("llama.attention.key_length"));
        assertEquals(16, keys.get("llama.attention.value_length"));
        assertEquals(16, keys.get("llama.rope.dimension_count"));
        assertEquals(1e-6f, keys.get("llama.attention.layer_norm_rms_epsilon"));
        assertEquals(20_000f, keys.get("llama.rope.freq_base"));
        assertFalse(keys.containsKey("llama.rope.scaling.type"));
    }

    @ParameterizedTest
    @CsvSource({
        "LLAMA, false, false, llama",
        "MISTRAL, false, false, llama",
        "QWEN2, true, false, qwen2",
        "QWEN3, false, true, qwen3",
        "AGENTPRM, false, false, llama",
        "AGENTPRM, true, false, qwen2",
        "AGENTPRM, false, true, qwen3"
    })
    void whatAModelComputesDecidesItsArchitecture(
            ModelFamily family, boolean bias, boolean norm, String architecture) {
        ModelConfig.Builder config = config(family).qkvBias(bias).qkNorm(norm);
        GgufReading read = exported(model(config), GgufPrecision.F32);
        assertEquals(architecture, read.metadata.get("general.architecture"));
        assertEquals(bias, read.tensors.containsKey("blk.1.attn_k.bias"));
        assertEquals(norm, read.tensors.containsKey("blk.1.attn_q_norm.weight"));
    }

    @Test
    void everyWeightIsThereOnceUnderItsName() {
        Path model = model(config(ModelFamily.LLAMA).tiedEmbeddings(false));
        GgufReading read = exported(model, GgufPrecision.F32);
        Set<String> expected =
                new HashSet<>(Set.of("token_embd.weight", "output_norm.weight", "output.weight"));
        for (int layer = 0; layer < 2; layer++) {
            for (String part :
                    List.of(
                            "attn_norm",
                            "attn_q",
                            "attn_k",
                            "attn_v",
                            "attn_output",
                            "ffn_norm",
                            "ffn_gate",
                            "ffn_up",
                            "ffn_down")) {
                expected.add("blk." + layer + "." + part + ".weight");
            }
        }
        assertEquals(expected, read.tensors.keySet());
        assertEquals(List.of(32L, 48L), read.tensors.get("blk.0.ffn_up.weight").dims());
        for (Map.Entry<String, String> pair :
                Map.of(
                                "token_embd.weight", "model.embed_tokens.weight",
                                "output.weight", "lm_head.weight",
                                "blk.1.attn_v.weight", "model.layers.1.self_attn.v_proj.weight",
                                "blk.0.ffn_down.weight", "model.layers.0.mlp.down_proj.weight",
                                "blk.1.ffn_norm.weight",
                                        "model.layers.1.post_attention_layernorm.weight")
                        .entrySet()) {
            assertArrayEquals(
                    source(model, pair.getValue()), read.floats(pair.getKey()), pair.getKey());
        }
    }

    /** Head h, pair i: rows i and i + d/2 of a head become rows 2i and 2i + 1. */
    @Test
    void llamaHasTheTwoRowsOfARotationSideBySide() {
        Path model = model(config(ModelFamily.LLAMA));
        GgufReading read = exported(model, GgufPrecision.F32);
        for (String part : List.of("q", "k")) {
            float[] before = source(model, "model.layers.0.self_attn." + part + "_proj.weight");
            float[] after = read.floats("blk.0.attn_" + part + ".weight");
            int heads = part.equals("q") ? 4 : 2;
            for (int h = 0; h < heads; h++) {
                for (int i = 0; i < 4; i++) {
                    for (int c = 0; c < 32; c++) {
                        assertEquals(before[(8 * h + i) * 32 + c], after[(8 * h + 2 * i) * 32 + c]);
                        assertEquals(
                                before[(8 * h + i + 4) * 32 + c],
                                after[(8 * h + 2 * i + 1) * 32 + c]);
                    }
                }
            }
        }
    }

    @Test
    void qwenHasItsRowsAsTheyAre() {
        Path model = model(config(ModelFamily.QWEN2).qkvBias(true));
        GgufReading read = exported(model, GgufPrecision.F32);
        assertArrayEquals(
                source(model, "model.layers.0.self_attn.q_proj.weight"),
                read.floats("blk.0.attn_q.weight"));
        assertArrayEquals(
                source(model, "model.layers.0.self_attn.k_proj.bias"),
                read.floats("blk.0.attn_k.bias"));
    }

    @Test
    void scaledRotationsAreSaidAsLlamaCppWantsThem() {
        GgufReading linear =
                exported(
                        model(
                                config(ModelFamily.QWEN2)
                                        .qkvBias(true)
                                        .ropeScaling(new RopeScaling.Linear(4))),
                        GgufPrecision.F32);
        assertEquals("linear", linear.metadata.get("qwen2.rope.scaling.type"));
        assertEquals(4f, linear.metadata.get("qwen2.rope.scaling.factor"));
    }

    @Test
    void theLlama3RuleIsATensorOfDivisors() {
        RopeScaling scaling = new RopeScaling.Llama3(8, 1, 4, 64);
        GgufReading read =
                exported(
                        model(
                                config(ModelFamily.LLAMA)
                                        .headDim(16)
                                        .ropeTheta(10_000)
                                        .ropeScaling(scaling)),
                        GgufPrecision.F32);
        float[] divisors = read.floats("rope_freqs.weight");
        assertEquals(8, divisors.length);
        assertEquals(1, divisors[0], "short waves stay");
        assertEquals(8, divisors[7], 1e-6, "long waves are divided by the factor");
        double middle = Math.pow(10_000, -2.0 / 16 * 1);
        assertEquals(middle / scaling.scale(middle), divisors[1], 1e-5);
    }

    @Test
    void numbersAreStoredInTheFormatAskedForAndNormsAsTheyAre() {
        Path model = model(config(ModelFamily.LLAMA));
        int[] types = {0, 1, 30, 8, 2};
        int[] files = {0, 1, 32, 7, 2};
        for (GgufPrecision precision : GgufPrecision.values()) {
            GgufReading read = exported(model, precision);
            assertEquals(files[precision.ordinal()], read.metadata.get("general.file_type"));
            assertEquals(
                    types[precision.ordinal()], read.tensors.get("blk.0.attn_q.weight").type());
            assertEquals(0, read.tensors.get("blk.0.attn_norm.weight").type());
            assertEquals(
                    precision == GgufPrecision.Q4_0 ? 8 : types[precision.ordinal()],
                    read.tensors.get("token_embd.weight").type());
        }
    }

    @Test
    void rowsThatAreNoWholeBlocksAreKeptInHalfPrecision() {
        GgufReading read = exported(model(config(ModelFamily.LLAMA)), GgufPrecision.Q8_0);
        assertEquals(List.of(48L, 32L), read.tensors.get("blk.0.ffn_down.weight").dims());
        assertEquals(1, read.tensors.get("blk.0.ffn_down.weight").type());
    }

    @Test
    void theVocabularyHasEveryRowOfTheModelWithItsKind() {
        ModelConfig.Builder config =
                config(ModelFamily.LLAMA)
                        .vocabSize(TinyModels.VOCABULARY + 2)
                        .eosTokenIds(List.of(2, 9));
        Map<String, Object> keys = exported(model(config), GgufPrecision.F32).metadata;
        List<?> tokens = (List<?>) keys.get("tokenizer.ggml.tokens");
        List<?> types = (List<?>) keys.get("tokenizer.ggml.token_type");
        assertEquals("gpt2", keys.get("tokenizer.ggml.model"));
        assertEquals(TinyModels.VOCABULARY + 2, tokens.size());
        assertEquals(List.of("<|pad|>", "<|begin|>", "<|end|>"), tokens.subList(0, 3));
        assertEquals(List.of(3, 3, 3, 1), types.subList(0, 4));
        assertEquals("[PAD" + TinyModels.VOCABULARY + "]", tokens.get(TinyModels.VOCABULARY));
        assertEquals(5, types.get(TinyModels.VOCABULARY));
        assertEquals(1, keys.get("tokenizer.ggml.bos_token_id"));
        assertEquals(2, keys.get("tokenizer.ggml.eos_token_id"));
        assertEquals(9, keys.get("tokenizer.ggml.eot_token_id"));
        assertEquals(0, keys.get("tokenizer.ggml.padding_token_id"));
        assertEquals(false, keys.get("tokenizer.ggml.add_bos_token"));
    }

    /** A model directory whose tokenizer.json is this text. */
    private Path withTokenizer(String json) throws IOException {
        return withTokenizer(json, 4);
    }

    private Path withTokenizer(String json, int size) throws IOException {
        Path file = Files.writeString(dir.resolve("custom.json"), json);
        ModelConfig config =
                config(ModelFamily.LLAMA).vocabSize(size).eosTokenIds(List.of(2)).build();
        Path model = dir.resolve("custom");
        ModelInitializer.create(model, config, Initialization.FAN_IN, 1, Optional.of(file));
        return model;
    }

    private static String tokenizer(String preTokenizer, String more) {
        return "{\"pre_tokenizer\": "
                + preTokenizer
                + ", \"decoder\": {\"type\": \"ByteLevel\"}, \"added_tokens\": [{\"id\": 2,"
                + " \"content\": \"<e>\", \"special\": true}, {\"id\": 3, \"content\": \"<u>\","
                + " \"special\": false}]"
                + more
                + "}";
    }

    private static String bpe(boolean wholePieces) {
        return ", \"model\": {\"type\": \"BPE\", \"ignore_merges\": "
                + wholePieces
                + ", \"vocab\": {\"a\": 0, \"aa\": 1}, \"merges\": [\"a a\"]}";
    }

    @Test
    void mergesAndAddedTokensOfEitherSpellingAreKept() throws IOException {
        Path model =
                withTokenizer(
                        tokenizer(GPT2, bpe(false).replace("\"a a\"", "[\"a\", \"a\"]"))
                                .replace(
                                        "\"decoder\"",
                                        "\"post_processor\": {\"type\": \"Sequence\","
                                                + " \"processors\": [{\"type\": \"ByteLevel\"},"
                                                + " {\"type\": \"TemplateProcessing\", \"single\":"
                                                + " [{\"SpecialToken\": {\"id\": \"<e>\"}}]}]},"
                                                + " \"decoder\""));
        Map<String, Object> keys = exported(model, GgufPrecision.F32).metadata;
        assertEquals(List.of("a a"), keys.get("tokenizer.ggml.merges"));
        assertEquals(List.of(1, 1, 3, 4), keys.get("tokenizer.ggml.token_type"));
        assertEquals(true, keys.get("tokenizer.ggml.add_bos_token"));
    }

    private static final String SIGNS =
            "\"normalizer\": {\"type\": \"Sequence\", \"normalizers\": [{\"type\": \"Prepend\","
                    + " \"prepend\": \"\u2581\"}, {\"type\": \"Replace\", \"pattern\": {\"String\":"
                    + " \" \"}, \"content\": \"\u2581\"}]}, \"pre_tokenizer\": null";
    private static final String RULES = "\"a b\", \"\u2581 a\", \"\u2581a b\", \"\u2581 ab\"";

    /** As SentencePiece's tokenizers are converted. */
    private static String pieces(String signs, String rules) {
        return "{"
                + signs
                + ", \"decoder\": {\"type\": \"Sequence\"}, \"added_tokens\": [{\"id\": 0,"
                + " \"content\": \"<unk>\", \"special\": true}, {\"id\": 2, \"content\": \"</s>\","
                + " \"special\": true}], \"model\": {\"type\": \"BPE\", \"byte_fallback\": true,"
                + " \"unk_token\": \"<unk>\", \"vocab\": {\"<unk>\": 0, \"<0x0A>\": 1, \"</s>\": 2,"
                + " \"\u2581\": 3, \"a\": 4, \"b\": 5, \"\u2581ab\": 6, \"ab\": 7, \"\u2581a\": 8},"
                + " \"merges\": ["
                + rules
                + "]}}";
    }

    @Test
    void tokensOfSentencePieceHaveScoresInTheOrderOfTheRules() throws IOException {
        Map<String, Object> keys =
                exported(withTokenizer(pieces(SIGNS, RULES), 9), GgufPrecision.F32).metadata;
        assertEquals("llama", keys.get("tokenizer.ggml.model"));
        assertFalse(keys.containsKey("tokenizer.ggml.merges"));
        assertFalse(keys.containsKey("tokenizer.ggml.pre"));
        assertEquals(List.of(2, 6, 3, 1, 1, 1, 1, 1, 1), keys.get("tokenizer.ggml.token_type"));
        List<?> scores = (List<?>) keys.get("tokenizer.ggml.scores");
        assertEquals(List.of(-2f, -0f, -1f), scores.subList(6, 9));
        assertEquals(-3f, scores.get(4), "no rule makes it");
        assertEquals(true, keys.get("tokenizer.ggml.add_space_prefix"));
        assertEquals(0, keys.get("tokenizer.ggml.unknown_token_id"));
    }

    @ParameterizedTest
    @CsvSource({
        "true, '\"a b\", \"\u2581 a\", \"\u2581a b\", \"\u2581 ab\"'",
        "false, '\"a b\", \"\u2581 a\", \"\u2581a b\"'",
        "false, '\"a b\", \"\u2581a b\", \"\u2581 a\", \"\u2581 ab\"'",
    })
    void llamaCppJoinsAlikeWhereRulesOfATokenAreAllThereAndStandTogether(
            boolean alike, String rules) throws IOException {
        Path model = withTokenizer(pieces(SIGNS, rules), 9);
        assertEquals(alike, Vocabulary.of(ModelDirectory.open(model)).cutsAlike());
    }

    @Test
    void aSignBeforeTextsThatBeginWithABlankIsAnotherOneThere() throws IOException {
        String metaspace =
                "\"pre_tokenizer\": {\"type\": \"Metaspace\", \"replacement\": \"\u2581\","
                        + " \"prepend_scheme\": \"first\", \"split\": false}";
        Path model = withTokenizer(pieces(metaspace, RULES), 9);
        assertFalse(Vocabulary.of(ModelDirectory.open(model)).cutsAlike());
        Map<String, Object> keys = exported(model, GgufPrecision.F32).metadata;
        assertEquals(true, keys.get("tokenizer.ggml.add_space_prefix"));
    }

    @Test
    void aTokenizerThatChangesTextsOtherwiseIsRefused() throws IOException {
        String lower = SIGNS.replace("\"type\": \"Prepend\"", "\"type\": \"Lowercase\"");
        refused(
                withTokenizer(pieces(lower, RULES), 9),
                dir.resolve("lower"),
                "cannot be written as GGUF");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                GPT2 + "#false#gpt-2",
                "{\"type\": \"Sequence\", \"pretokenizers\": [{\"type\": \"Digits\","
                        + " \"individual_digits\": true}, "
                        + GPT2
                        + "]}#false#smollm",
                "SPLIT(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}|"
                        + " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+#true#llama-bpe",
                "SPLIT(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}|"
                        + " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+#false#qwen2",
                GPT2 + "#true#",
                "SPLIT\\w+#false#",
                "{\"type\": \"Whitespace\"}#false#"
            })
    void textIsCutByARuleThatLlamaCppKnowsOrTheFileNamesNone(String row) throws IOException {
        String[] parts = row.split("#", -1);
        String rule =
                parts[0].startsWith("SPLIT")
                        ? "{\"type\": \"Sequence\", \"pretokenizers\": [{\"type\": \"Split\","
                                + " \"pattern\": {\"Regex\": \""
                                + parts[0].substring(5).replace("\\", "\\\\")
                                + "\"}, \"behavior\": \"Isolated\", \"invert\": false},"
                                + " {\"type\": \"ByteLevel\", \"add_prefix_space\": false,"
                                + " \"use_regex\": false}]}"
                        : parts[0];
        Path model = withTokenizer(tokenizer(rule, bpe(Boolean.parseBoolean(parts[1]))));
        Object named = exported(model, GgufPrecision.F32).metadata.get("tokenizer.ggml.pre");
        assertEquals(parts[2].isEmpty() ? null : parts[2], named);
    }

    @Test
    void theChatTemplateComesAlong() throws IOException {
        Path model = model(config(ModelFamily.LLAMA));
        Files.writeString(model.resolve("chat_template.jinja"), "{{ messages }}");
        assertEquals(
                "{{ messages }}",
                exported(model, GgufPrecision.F32).metadata.get("tokenizer.chat_template"));
    }

    @Test
    void modelsOfOurOwnStartEveryTextWithTheirBeginOfSequence() {
        Map<String, Object> keys =
                exported(model(config(ModelFamily.AGENTPRM)), GgufPrecision.F32).metadata;
        assertEquals(true, keys.get("tokenizer.ggml.add_bos_token"));
    }

    @Test
    void configurationAndTokenizerLieBesideTheFileAndWeightsDoNot() {
        exported(model(config(ModelFamily.LLAMA)), GgufPrecision.F32);
        Path target = dir.resolve("exported-F32");
        assertTrue(Files.exists(target.resolve("config.json")));
        assertTrue(Files.exists(target.resolve("tokenizer.json")));
        assertFalse(Files.exists(target.resolve("model.safetensors")));
    }

    @Test
    void theSameModelGivesTheSameBytes() throws IOException {
        Path model = model(config(ModelFamily.LLAMA));
        GgufExport.write(model, dir.resolve("a"), GgufPrecision.Q4_0);
        GgufExport.write(model, dir.resolve("b"), GgufPrecision.Q4_0);
        assertEquals(
                -1,
                Files.mismatch(
                        dir.resolve("a").resolve(GgufExport.FILE),
                        dir.resolve("b").resolve(GgufExport.FILE)));
    }

    @Test
    void partsThatLlamaCppLacksAreNamedInTheRefusal() {
        refused(
                TinyModels.create(dir, "own", 1),
                dir.resolve("x"),
                "llama.cpp knows no previous-token embedding, no second-previous-token embedding,"
                        + " no recall embedding, no score head; export it for ONNX Runtime");
        refused(
                model(
                        config(ModelFamily.QWEN2)
                                .qkvBias(true)
                                .ropeScaling(new RopeScaling.Llama3(8, 1, 4, 64))),
                dir.resolve("y"),
                "llama3 scaling");
    }

    @Test
    void aModelWithoutATokenizerIsRefused() {
        Path model = dir.resolve("bare");
        ModelInitializer.create(
                model,
                config(ModelFamily.LLAMA).build(),
                Initialization.FAN_IN,
                1,
                Optional.empty());
        refused(model, dir.resolve("x"), "has no tokenizer.json");
    }

    @Test
    void aTokenizerOfAnotherKindIsRefused() throws IOException {
        Path model = withTokenizer("{\"model\": {\"type\": \"Unigram\"}}");
        refused(model, dir.resolve("x"), "as SentencePiece's does, this is Unigram");
    }

    @Test
    void aTokenOutsideOfTheModelIsRefused() throws IOException {
        Path model = withTokenizer(tokenizer(GPT2, bpe(false)).replace("\"id\": 3", "\"id\": 4"));
        refused(model, dir.resolve("x"), "token '<u>' has the id 4");
    }

    @Test
    void aTokenizerTrainedHereIsWritten() {
        Path file = dir.resolve("trained.json");
        WordTrainer.standard().train(List.of("open the door", "open the door")).write(file);
        Path model = dir.resolve("trained");
        ModelInitializer.create(
                model,
                config(ModelFamily.AGENTPRM).vocabSize(300).build(),
                Initialization.FAN_IN,
                1,
                Optional.of(file));
        List<?> tokens =
                (List<?>) exported(model, GgufPrecision.F32).metadata.get("tokenizer.ggml.tokens");
        assertTrue(tokens.contains("Ġdoor"), tokens.toString());
    }
}
