package io.agentprm.lm.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.lm.LanguageModelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/** Reads config.json; refuses what it cannot honour rather than computing other numbers. */
final class ModelConfigReader {
    /** Keys that are honoured. */
    private static final Set<String> READ =
            Set.of(
                    "model_type",
                    "architectures",
                    "vocab_size",
                    "hidden_size",
                    "intermediate_size",
                    "num_hidden_layers",
                    "num_attention_heads",
                    "num_key_value_heads",
                    "head_dim",
                    "rms_norm_eps",
                    "rope_theta",
                    "rope_scaling",
                    "rope_parameters",
                    "tie_word_embeddings",
                    "max_position_embeddings",
                    "bos_token_id",
                    "pad_token_id",
                    "eos_token_id",
                    "hidden_act",
                    "attention_bias",
                    "mlp_bias",
                    "use_sliding_window",
                    "sliding_window",
                    "layer_types",
                    "id2label",
                    "previous_token_embedding",
                    "second_previous_token_embedding",
                    "recall_embedding",
                    "recall_until_token_id",
                    "qk_norm",
                    "language_head",
                    "score_head",
                    "score_bias");

    /** Keys that do not change what a forward pass computes. */
    private static final Set<String> HARMLESS =
            Set.of(
                    "attention_dropout",
                    "bad_words_ids",
                    "dtype",
                    "finetuning_task",
                    "initializer_range",
                    "is_llama_config",
                    "label2id",
                    "max_window_layers",
                    "num_labels",
                    "pretraining_tp",
                    "problem_type",
                    "return_dict",
                    "task_specific_params",
                    "torch_dtype",
                    "transformers_version",
                    "transformers.js_config",
                    "unsloth_fixed",
                    "unsloth_version",
                    "use_cache");

    private static final String ROPE_PARAMETERS = "rope_parameters";
    private static final String ORIGINAL_CONTEXT = "original_max_position_embeddings";

    /** What each type of rotations reads; the original context says something to llama3 only. */
    private static final Map<String, Set<String>> ROPE_KEYS =
            Map.of(
                    "default",
                    ropeKeys(),
                    "linear",
                    ropeKeys("factor"),
                    "llama3",
                    ropeKeys("factor", "low_freq_factor", "high_freq_factor", ORIGINAL_CONTEXT));

    /** What an absent key means to Mistral. */
    private static final int UNSAID_WINDOW = 4096;

    private final Path file;
    private final JsonNode json;

    private ModelConfigReader(Path file, JsonNode json) {
        this.file = file;
        this.json = json;
    }

    private static Set<String> ropeKeys(String... ofType) {
        Set<String> keys =
                new TreeSet<>(List.of("rope_type", "type", "rope_theta", "partial_rotary_factor"));
        keys.addAll(List.of(ofType));
        return keys;
    }

    static ModelConfig read(Path file) {
        return new ModelConfigReader(file, Json.readObject(file)).read();
    }

    private ModelConfig read() {
        String modelType = json.path("model_type").asText();
        ModelFamily family =
                ModelFamily.of(modelType)
                        .orElseThrow(
                                () ->
                                        wrong(
                                                "model_type '"
                                                        + modelType
                                                        + "' is not supported; supported are "
                                                        + ModelFamily.supported()));
        rejectUnsupported(family);
        boolean classifier = classifier(family);
        boolean tied = bool("tie_word_embeddings", false);
        boolean scoreHead = classifier || bool("score_head", false);
        JsonNode rope = ropeParameters();
        ModelConfig.Builder builder =
                ModelConfig.builder()
                        .family(family)
                        .vocabSize(integer("vocab_size"))
                        .hiddenSize(integer("hidden_size"))
                        .intermediateSize(integer("intermediate_size"))
                        .layers(integer("num_hidden_layers"))
                        .heads(integer("num_attention_heads"))
                        .rmsNormEps(number(json, "rms_norm_eps", 1e-6))
                        .ropeTheta(number(rope, "rope_theta", number(json, "rope_theta", 10_000)))
                        .tiedEmbeddings(tied)
                        .contextLength(integer("max_position_embeddings"))
                        .eosTokenIds(tokenIds(file, json, "eos_token_id"))
                        .qkvBias(qkvBias(family))
                        .qkNorm(family == ModelFamily.QWEN3 || bool("qk_norm", false))
                        .previousTokenEmbedding(bool("previous_token_embedding", false))
                        .secondPreviousTokenEmbedding(
                                bool("second_previous_token_embedding", false))
                        .recallEmbedding(bool("recall_embedding", false))
                        .scoreHead(scoreHead)
                        .languageHead(bool("language_head", !classifier || tied))
                        .scoreBias(bool("score_bias", false));
        present("num_key_value_heads", family.unsaidKvHeads()).ifPresent(builder::kvHeads);
        present("head_dim", family.unsaidHeadDim()).ifPresent(builder::headDim);
        tokenIds(file, json, "recall_until_token_id").stream()
                .findFirst()
                .ifPresent(builder::recallUntil);
        tokenIds(file, json, "bos_token_id").stream().findFirst().ifPresent(builder::bosTokenId);
        padTokenId(builder);
        try {
            return builder.ropeScaling(ropeScaling()).build();
        } catch (IllegalArgumentException e) {
            throw new LanguageModelException(file + ": " + e.getMessage(), e);
        }
    }

    private void padTokenId(ModelConfig.Builder builder) {
        // Some published configurations say -1 for "none".
        JsonNode pad = json.path("pad_token_id");
        if (pad.isIntegralNumber() && pad.asInt() >= 0) {
            builder.padTokenId(pad.asInt());
        }
    }

    private boolean qkvBias(ModelFamily family) {
        return family == ModelFamily.QWEN2
                || (family == ModelFamily.AGENTPRM && bool("attention_bias", false));
    }

    /** Whether the architecture is a classifier, which must have one label. */
    private boolean classifier(ModelFamily family) {
        JsonNode architectures = json.path("architectures");
        if (architectures.isEmpty()) {
            return false;
        }
        String name = architectures.path(0).asText();
        if (name.equals(family.causalClass())) {
            return false;
        }
        if (!name.equals(family.classifierClass())) {
            throw wrong(
                    String.format(
                            Locale.ROOT,
                            "architecture '%s' is not supported; supported are %s and %s",
                            name,
                            family.causalClass(),
                            family.classifierClass()));
        }
        // Hugging Face writes no id2label for its default of two labels.
        int labels = json.path("id2label").isObject() ? json.path("id2label").size() : 2;
        if (labels != 1) {
            throw wrong(
                    String.format(
                            Locale.ROOT,
                            "a classifier of %d labels is not supported; supported is one label,"
                                    + " the score: use a checkpoint that was trained with"
                                    + " num_labels 1, or a language model, which is given a score"
                                    + " head",
                            labels));
        }
        return true;
    }

    private void rejectUnsupported(ModelFamily family) {
        rejectUnknown("key '%s' (value %s) is not supported", json, READ, HARMLESS);
        String activation = json.path("hidden_act").asText("silu");
        if (!activation.equals("silu")) {
            throw wrong("hidden_act '" + activation + "' is not supported; supported is silu");
        }
        boolean biasSupported = family == ModelFamily.AGENTPRM || family == ModelFamily.QWEN2;
        if (bool("attention_bias", false) && !biasSupported) {
            throw wrong(
                    String.format(
                            Locale.ROOT,
                            "attention_bias true is not supported for %s; supported are false, and"
                                    + " the biases that every %s has: use a checkpoint without"
                                    + " biases, or one of that type",
                            family.modelType(),
                            ModelFamily.QWEN2.modelType()));
        }
        if (bool("mlp_bias", false)) {
            throw wrong(
                    "mlp_bias true is not supported; supported is false: use a checkpoint whose"
                            + " feed-forward layers have no biases");
        }
        if (family != ModelFamily.AGENTPRM) {
            for (String own :
                    List.of(
                            "previous_token_embedding",
                            "second_previous_token_embedding",
                            "recall_embedding",
                            "qk_norm")) {
                if (bool(own, false)) {
                    throw wrong(own + " needs model_type " + ModelFamily.AGENTPRM.modelType());
                }
            }
        }
        rejectSlidingWindow(family);
    }

    private void rejectSlidingWindow(ModelFamily family) {
        long context = json.path("max_position_embeddings").asLong();
        JsonNode window = json.path("sliding_window");
        boolean usesWindow =
                family == ModelFamily.MISTRAL
                        ? !window.isNull() && window.asLong(UNSAID_WINDOW) < context
                        : bool("use_sliding_window", false);
        for (JsonNode type : json.path("layer_types")) {
            usesWindow |= !type.asText().equals("full_attention");
        }
        if (usesWindow) {
            throw wrong(
                    "sliding-window attention is not supported (sliding_window "
                            + (window.isMissingNode()
                                    ? "is absent, which means " + UNSAID_WINDOW
                                    : window)
                            + "); supported is full attention");
        }
    }

    /** The object that holds rope_theta and, in the newer style, the scaling as well. */
    private JsonNode ropeParameters() {
        return json.hasNonNull(ROPE_PARAMETERS) ? json.get(ROPE_PARAMETERS) : json;
    }

    /** From either style; where both are written they must say the same. */
    private RopeScaling ropeScaling() {
        RopeScaling classic = ropeScaling("rope_scaling");
        if (!json.hasNonNull(ROPE_PARAMETERS)) {
            return classic;
        }
        RopeScaling current = ropeScaling(ROPE_PARAMETERS);
        if (json.hasNonNull("rope_scaling") && !classic.equals(current)) {
            throw wrong(
                    "rope_scaling and rope_parameters say different things ("
                            + classic
                            + ", "
                            + current
                            + "); take out the one that does not hold");
        }
        return current;
    }

    private RopeScaling ropeScaling(String key) {
        JsonNode node = json.path(key);
        if (node.isNull() || node.isMissingNode()) {
            return RopeScaling.none();
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            if (field.getValue().isObject()) {
                throw wrong(
                        "rotations of their own for '"
                                + field.getKey()
                                + "' are not supported; supported is one kind for all layers");
            }
        }
        double partial = number(node, "partial_rotary_factor", 1);
        if (partial != 1) {
            throw wrong("partial_rotary_factor " + partial + " is not supported; supported is 1");
        }
        String type = node.path("rope_type").asText(node.path("type").asText("default"));
        RopeScaling scaling =
                switch (type) {
                    case "default" -> RopeScaling.none();
                    case "linear" -> new RopeScaling.Linear(number(node, "factor"));
                    case "llama3" ->
                            new RopeScaling.Llama3(
                                    number(node, "factor"),
                                    number(node, "low_freq_factor"),
                                    number(node, "high_freq_factor"),
                                    (int) number(node, ORIGINAL_CONTEXT));
                    default ->
                            throw wrong(
                                    "rope_type '"
                                            + type
                                            + "' is not supported; supported are default, linear,"
                                            + " llama3");
                };
        rejectUnknown(
                "key '" + key + ".%s' (value %s) is not supported with rope_type " + type,
                node,
                ROPE_KEYS.get(type),
                Set.of(ORIGINAL_CONTEXT));
        return scaling;
    }

    /** A key that is off says nothing, any other may mean other numbers. */
    private void rejectUnknown(
            String message, JsonNode object, Set<String> read, Set<String> harmless) {
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            String key = field.getKey();
            JsonNode value = field.getValue();
            boolean off = value.isNull() || (value.isBoolean() && !value.asBoolean());
            if (!off && !key.startsWith("_") && !read.contains(key) && !harmless.contains(key)) {
                throw wrong(
                        String.format(Locale.ROOT, message, key, value)
                                + "; supported keys are "
                                + new TreeSet<>(read));
            }
        }
    }

    private boolean bool(String key, boolean fallback) {
        JsonNode node = json.path(key);
        if (node.isMissingNode() || node.isNull()) {
            return fallback;
        }
        if (!node.isBoolean()) {
            throw wrong("key '" + key + "' must be true or false, is " + node);
        }
        return node.asBoolean();
    }

    /** A key that may be absent, which means something else than null for some families. */
    private OptionalInt present(String key, OptionalInt unsaid) {
        if (!json.has(key)) {
            return unsaid;
        }
        return json.get(key).isNull() ? OptionalInt.empty() : OptionalInt.of(integer(key));
    }

    private int integer(String key) {
        JsonNode node = json.path(key);
        if (!node.isIntegralNumber() || !node.canConvertToInt()) {
            throw wrong(
                    "key '"
                            + key
                            + "' must be an integer, is "
                            + (node.isMissingNode() ? "missing" : node));
        }
        return node.asInt();
    }

    private double number(JsonNode parent, String key, double fallback) {
        return parent.hasNonNull(key) ? number(parent, key) : fallback;
    }

    private double number(JsonNode parent, String key) {
        JsonNode node = parent.path(key);
        if (!node.isNumber()) {
            throw wrong(
                    "key '"
                            + key
                            + "' must be a number, is "
                            + (node.isMissingNode() ? "missing" : node));
        }
        return node.asDouble();
    }

    /** A key that holds one id, a list of ids, or null. */
    static List<Integer> tokenIds(Path file, JsonNode json, String key) {
        JsonNode node = json.path(key);
        List<Integer> out = new ArrayList<>();
        if (node.isMissingNode() || node.isNull()) {
            return out;
        }
        Iterable<JsonNode> ids = node.isArray() ? node : List.of(node);
        for (JsonNode id : ids) {
            if (!id.isIntegralNumber() || !id.canConvertToInt()) {
                throw new LanguageModelException(
                        file + ": key '" + key + "' must hold token ids, is " + node);
            }
            out.add(id.asInt());
        }
        return out;
    }

    private LanguageModelException wrong(String what) {
        return new LanguageModelException(file + ": " + what);
    }
}
