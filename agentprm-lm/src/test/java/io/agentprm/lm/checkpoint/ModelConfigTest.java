package io.agentprm.lm.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.testing.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelConfigTest {
    private static final String MINIMAL =
            """
            {"model_type": "llama", "vocab_size": 8, "hidden_size": 8, "intermediate_size": 12,
             "num_hidden_layers": 1, "num_attention_heads": 2, "max_position_embeddings": 16 %s}
            """;

    @TempDir Path dir;

    @Test
    void absentKeysMeanWhatHuggingFaceMeans() throws IOException {
        ModelConfig config = read(String.format(MINIMAL, ""));
        assertEquals(2, config.kvHeads());
        assertEquals(4, config.headDim());
        assertEquals(1e-6, config.rmsNormEps());
        assertEquals(10_000, config.ropeTheta());
        assertEquals(RopeScaling.none(), config.ropeScaling());
        assertEquals(List.of(), config.eosTokenIds());
        assertEquals(false, config.tiedEmbeddings());
    }

    /** Not all configurations write these keys, and the families fill them in differently. */
    @Test
    void absentKeysMeanWhatTheyMeanToTheFamily() throws IOException {
        ModelConfig qwen3 =
                read(
                        MINIMAL.replace("llama", "qwen3")
                                .replace("%s", ", \"num_key_value_heads\": 1"));
        assertEquals(128, qwen3.headDim());
        ModelConfig mistral =
                read(
                        MINIMAL.replace("llama", "mistral")
                                .replace("_heads\": 2", "_heads\": 16")
                                .replace("\"hidden_size\": 8", "\"hidden_size\": 64")
                                .replace("%s", ""));
        assertEquals(8, mistral.kvHeads());
        assertRefused(MINIMAL.replace("llama", "qwen2"), "num_key_value_heads must divide");
        assertEquals(
                2,
                read(MINIMAL.replace("llama", "qwen2")
                                .replace("%s", ", \"num_key_value_heads\": null"))
                        .kvHeads());
    }

    @Test
    void mistralHasAWindowUnlessItSaysOtherwise() throws IOException {
        String text =
                MINIMAL.replace("llama", "mistral")
                        .replace(": 16", ": 32768")
                        .replace("%s", ", \"num_key_value_heads\": 2 %s");
        assertRefused(text, "sliding_window is absent, which means 4096");
        assertRefused(text.replace("%s", ", \"sliding_window\": 4096"), "sliding_window 4096");
        ModelConfig full = read(text.replace("%s", ", \"sliding_window\": null"));
        Path written = dir.resolve("written.json");
        full.write(written, ElementType.F32);
        assertEquals(full, ModelConfig.read(written));
    }

    @Test
    void rotationsOfTheNewStyleAreNeverGuessed() throws IOException {
        assertEquals(
                500,
                with("\"rope_theta\": 500, \"rope_parameters\": {\"rope_type\": \"default\"}")
                        .ropeTheta());
        assertKeyRefused(
                "\"rope_parameters\": {\"full_attention\": {\"rope_theta\": 1000000.0}}",
                "rotations of their own for 'full_attention' are not supported");
    }

    @Test
    void aKeyThatTheRotationsDoNotReadIsRefusedUnlessItIsOff() throws IOException {
        assertKeyRefused(
                "\"rope_scaling\": {\"type\": \"linear\", \"factor\": 2, \"beta_fast\": 32}",
                "key 'rope_scaling.beta_fast' (value 32) is not supported with rope_type linear;"
                        + " supported keys are [factor, partial_rotary_factor, rope_theta");
        assertKeyRefused(
                "\"rope_parameters\": {\"rope_theta\": 500, \"mrope_section\": [1, 1]}",
                "key 'rope_parameters.mrope_section' (value [1,1]) is not supported with rope_type"
                        + " default");
        assertKeyRefused(
                "\"rope_parameters\": {\"rope_type\": \"default\", \"factor\": 2}",
                "key 'rope_parameters.factor'");
        assertKeyRefused(
                "\"rope_scaling\": {\"rope_type\": \"default\", \"partial_rotary_factor\": 0.5}",
                "partial_rotary_factor 0.5 is not supported; supported is 1");
        assertEquals(
                new RopeScaling.Linear(2),
                with("\"rope_scaling\": {\"type\": \"linear\", \"rope_type\": \"linear\","
                                + " \"factor\": 2, \"original_max_position_embeddings\": 8,"
                                + " \"finetuned\": false, \"beta_fast\": null,"
                                + " \"partial_rotary_factor\": 1.0}")
                        .ropeScaling());
    }

    @Test
    void bothStylesOfRotationsMaySayTheSameButNotDifferentThings() throws IOException {
        String linear = "\"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": 2}";
        assertEquals(
                new RopeScaling.Linear(2),
                with(linear + ", \"rope_parameters\": {\"type\": \"linear\", \"factor\": 2.0}")
                        .ropeScaling());
        assertKeyRefused(
                linear + ", \"rope_parameters\": {\"rope_type\": \"default\"}",
                "rope_scaling and rope_parameters say different things");
    }

    @Test
    void aRefusalSaysWhatIsSupportedAndWhatToDo() {
        assertKeyRefused(
                "\"mlp_bias\": true",
                "mlp_bias true is not supported; supported is false: use a checkpoint whose");
        assertKeyRefused(
                "\"attention_bias\": true",
                "attention_bias true is not supported for llama; supported are false, and the"
                        + " biases that every qwen2 has: use a checkpoint");
        assertKeyRefused(
                "\"architectures\": [\"LlamaForSequenceClassification\"]",
                "a classifier of 2 labels is not supported; supported is one label");
        assertKeyRefused(
                "\"architectures\": [\"LlamaForSequenceClassification\"],"
                        + " \"id2label\": {\"0\": \"a\", \"1\": \"b\", \"2\": \"c\"}",
                "trained with num_labels 1, or a language model, which is given a score head");
    }

    /** The keys and values of configurations as published; only the sizes are small. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                // Llama 3.1 and 3.2
                "\"model_type\": \"llama\", \"architectures\": [\"LlamaForCausalLM\"],"
                        + " \"attention_bias\": false, \"attention_dropout\": 0.0, \"bos_token_id\": 1,"
                        + " \"eos_token_id\": [2, 3, 4], \"hidden_act\": \"silu\","
                        + " \"initializer_range\": 0.02, \"mlp_bias\": false, \"pretraining_tp\": 1,"
                        + " \"rms_norm_eps\": 1e-05, \"rope_scaling\": {\"factor\": 32.0,"
                        + " \"high_freq_factor\": 4.0, \"low_freq_factor\": 1.0,"
                        + " \"original_max_position_embeddings\": 8192, \"rope_type\": \"llama3\"},"
                        + " \"rope_theta\": 500000.0, \"tie_word_embeddings\": true, \"torch_dtype\":"
                        + " \"bfloat16\", \"transformers_version\": \"4.45.0.dev0\", \"use_cache\":"
                        + " true",
                // Qwen 2.5
                "\"model_type\": \"qwen2\", \"num_key_value_heads\": 2, \"max_window_layers\": 21,"
                        + " \"rope_theta\": 1000000.0, \"sliding_window\": 32768,"
                        + " \"use_sliding_window\": false, \"use_mrope\": false, \"eos_token_id\": 2,"
                        + " \"tie_word_embeddings\": true, \"torch_dtype\": \"bfloat16\"",
                // Qwen 3
                "\"model_type\": \"qwen3\", \"num_key_value_heads\": 2, \"head_dim\": 8,"
                        + " \"attention_bias\": false, \"max_window_layers\": 28, \"rope_scaling\":"
                        + " null, \"rope_theta\": 1000000, \"sliding_window\": null,"
                        + " \"use_sliding_window\": false",
                // The same saved by a later version of the library
                "\"model_type\": \"qwen3\", \"num_key_value_heads\": 2, \"head_dim\": 8,"
                        + " \"attention_bias\": false, \"dtype\": \"bfloat16\", \"layer_types\":"
                        + " [\"full_attention\"], \"rope_parameters\": {\"rope_theta\": 1000000,"
                        + " \"rope_type\": \"default\", \"partial_rotary_factor\": 1.0}",
                // SmolLM2
                "\"model_type\": \"llama\", \"is_llama_config\": true, \"rope_interleaved\":"
                        + " false, \"rope_scaling\": null, \"rope_theta\": 100000, \"pad_token_id\": 2,"
                        + " \"transformers.js_config\": {\"kv_cache_dtype\": {\"q4f16\":"
                        + " \"float16\"}}",
                // Mistral
                "\"model_type\": \"mistral\", \"num_key_value_heads\": 2, \"head_dim\": null,"
                        + " \"sliding_window\": null, \"rope_theta\": 1000000.0"
            })
    void keysOfPublishedConfigurationsAreAccepted(String keys) throws IOException {
        ModelConfig config =
                read(MINIMAL.replace("\"model_type\": \"llama\"", keys).replace("%s", ""));
        assertEquals(2, config.kvHeads());
    }

    @Test
    void endTokensMayBeOneOrSeveral() throws IOException {
        assertEquals(List.of(2), with("\"eos_token_id\": 2").eosTokenIds());
        assertEquals(List.of(2, 3), with("\"eos_token_id\": [2, 3]").eosTokenIds());
        assertEquals(List.of(), with("\"eos_token_id\": null").eosTokenIds());
    }

    @Test
    void theTypeOfRopeScalingHasTwoSpellings() throws IOException {
        RopeScaling linear = new RopeScaling.Linear(2);
        assertEquals(
                linear,
                with("\"rope_scaling\": {\"type\": \"linear\", \"factor\": 2.0}").ropeScaling());
        assertEquals(
                linear,
                with("\"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": 2}").ropeScaling());
    }

    @Test
    void bothGenerationsOfTheFileGiveTheSameModel() {
        for (String model : List.of("llama32-tied", "qwen3-tied")) {
            Path directory = SharedData.require("hf/models/" + model);
            assertEquals(
                    ModelConfig.read(directory.resolve("config.json")),
                    ModelConfig.read(directory.resolve("config.v5.json")));
        }
    }

    @Test
    void publishedConfigurationsAreRead() {
        ModelConfig llama = shared("llama32-tied");
        assertEquals(new RopeScaling.Llama3(32, 1, 4, 8192), llama.ropeScaling());
        assertEquals(List.of(2, 3), llama.eosTokenIds());
        assertEquals(131072, llama.contextLength());
        assertTrue(llama.tiedEmbeddings());
        assertTrue(shared("qwen2-tied").qkvBias());
        assertEquals(16, shared("qwen2-tied").headDim());
        assertTrue(shared("qwen3-tied").qkNorm());
        assertEquals(32, shared("qwen3-tied").headDim());
        ModelConfig classifier = shared("llama-seqcls");
        assertTrue(classifier.scoreHead());
        assertEquals(false, classifier.languageHead());
    }

    @Test
    void anUnknownArchitectureIsRefusedWithTheSupportedOnes() {
        assertRefused(
                MINIMAL.replace("llama", "gpt2"),
                "model_type 'gpt2' is not supported; supported are llama, agentprm");
        assertRefused(
                String.format(MINIMAL, ", \"architectures\": [\"LlamaForTokenClassification\"]"),
                "architecture 'LlamaForTokenClassification' is not supported");
    }

    @Test
    void whatWouldChangeTheNumbersIsRefused() {
        assertKeyRefused("\"quantization_config\": {\"bits\": 4}", "key 'quantization_config'");
        assertKeyRefused("\"rope_interleaved\": true", "key 'rope_interleaved'");
        assertKeyRefused("\"hidden_act\": \"gelu\"", "hidden_act 'gelu'");
        assertKeyRefused("\"mlp_bias\": true", "mlp_bias");
        assertKeyRefused("\"attention_bias\": true", "attention_bias");
        assertKeyRefused("\"layer_types\": [\"sliding_attention\"]", "sliding-window");
        assertKeyRefused(
                "\"rope_scaling\": {\"rope_type\": \"yarn\", \"factor\": 2}",
                "rope_type 'yarn' is not supported; supported are default, linear, llama3");
        assertKeyRefused("\"previous_token_embedding\": true", "needs model_type agentprm");
    }

    @Test
    void featuresThatAreSwitchedOffAreAccepted() throws IOException {
        with("\"rope_interleaved\": false, \"new_feature\": null, \"_name_or_path\": \"x\"");
    }

    @Test
    void missingAndImpossibleSizesAreRefused() {
        assertRefused("{\"model_type\": \"llama\"}", "key 'vocab_size' must be an integer");
        assertKeyRefused("\"num_key_value_heads\": 3", "num_key_value_heads must divide");
        assertKeyRefused("\"head_dim\": 3", "head_dim must be even");
        assertKeyRefused("\"eos_token_id\": 8", "eos_token_id 8 lies outside of the vocabulary");
    }

    @Test
    void writtenConfigurationsReadBackAsTheSame() {
        ModelConfig config =
                ModelConfig.builder()
                        .vocabSize(50)
                        .hiddenSize(12)
                        .intermediateSize(20)
                        .layers(2)
                        .heads(3)
                        .headDim(6)
                        .ropeScaling(new RopeScaling.Llama3(8, 1, 4, 64))
                        .bosTokenId(1)
                        .padTokenId(0)
                        .eosTokenIds(List.of(2, 3))
                        .previousTokenEmbedding(true)
                        .secondPreviousTokenEmbedding(true)
                        .recallEmbedding(true)
                        .recallUntil(3)
                        .qkNorm(true)
                        .qkvBias(true)
                        .scoreHead(true)
                        .scoreBias(true)
                        .build();
        Path file = dir.resolve("config.json");
        for (ModelConfig c :
                List.of(
                        config,
                        config.toBuilder().languageHead(false).build(),
                        config.toBuilder().scoreBias(false).scoreHead(false).build())) {
            c.write(file, ElementType.F32);
            assertEquals(c, ModelConfig.read(file));
        }
    }

    @Test
    void parametersCountTiedWeightsOnce() {
        ModelConfig.Builder builder =
                ModelConfig.builder()
                        .vocabSize(10)
                        .hiddenSize(4)
                        .intermediateSize(8)
                        .layers(1)
                        .heads(2);
        // embedding 40, q k v o 64, mlp 96, three norms 12
        assertEquals(212, builder.build().parameters());
        assertEquals(252, builder.tiedEmbeddings(false).build().parameters());
        assertEquals(292, builder.previousTokenEmbedding(true).build().parameters());
    }

    private ModelConfig with(String keys) throws IOException {
        return read(String.format(MINIMAL, ", " + keys));
    }

    private void assertKeyRefused(String keys, String message) {
        assertRefused(String.format(MINIMAL, ", " + keys), message);
    }

    private void assertRefused(String json, String message) {
        LanguageModelException e =
                assertThrows(LanguageModelException.class, () -> read(json.replace("%s", "")));
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    private ModelConfig read(String json) throws IOException {
        return ModelConfig.read(Files.writeString(dir.resolve("config.json"), json));
    }

    private static ModelConfig shared(String model) {
        return ModelConfig.read(SharedData.require("hf/models/" + model + "/config.json"));
    }
}
