package io.agentprm.lm.testing;

/**
 * The decoder families as their publishers write them, at sizes of a few kilobytes. Each has what
 * sets it apart: heads that share keys or not, a head of its own or the embedding, biases, norms of
 * queries and keys, a head size that does not follow from the width, stretched rotations.
 */
public enum PublishedStyle {
    LLAMA_2(
            "llama",
            "Llama",
            4,
            6,
            false,
            1e-5,
            "\"pretraining_tp\": 1, \"attention_bias\": false"),
    LLAMA_3("llama", "Llama", 2, 6, true, 1e-5, "\"mlp_bias\": false, \"head_dim\": 6"),
    SMOLLM_2(
            "llama",
            "Llama",
            1,
            6,
            true,
            1e-5,
            "\"is_llama_config\": true, \"rope_interleaved\": false,"
                    + " \"transformers.js_config\": {\"kv_cache_dtype\": \"fp16\"}"),
    MISTRAL("mistral", "Mistral", 2, 8, false, 1e-5, "\"sliding_window\": null, \"head_dim\": 8"),
    QWEN_2(
            "qwen2",
            "Qwen2",
            2,
            6,
            true,
            1e-6,
            "\"use_sliding_window\": false, \"sliding_window\": 32, \"max_window_layers\": 2"),
    QWEN_3("qwen3", "Qwen3", 2, 8, true, 1e-6, "\"attention_bias\": false, \"head_dim\": 8");

    static final int VOCABULARY = TinyModels.VOCABULARY;
    static final int HIDDEN = 24;
    static final int INTERMEDIATE = 40;
    static final int LAYERS = 2;
    static final int HEADS = 4;

    /** Of Llama 3: each of its three bands holds one of the three frequencies. */
    static final double FACTOR = 4;

    static final double LOW = 1;
    static final double HIGH = 4;
    static final int ORIGINAL_CONTEXT = 32;

    final String modelType;
    final int kvHeads;
    final int headDim;
    final boolean tied;
    final double eps;
    private final String classPrefix;
    private final String more;

    PublishedStyle(
            String modelType,
            String classPrefix,
            int kvHeads,
            int headDim,
            boolean tied,
            double eps,
            String more) {
        this.modelType = modelType;
        this.classPrefix = classPrefix;
        this.kvHeads = kvHeads;
        this.headDim = headDim;
        this.tied = tied;
        this.eps = eps;
        this.more = more;
    }

    boolean biases() {
        return this == QWEN_2;
    }

    boolean normsOfQueriesAndKeys() {
        return this == QWEN_3;
    }

    boolean stretched() {
        return this == LLAMA_3;
    }

    double theta() {
        return this == LLAMA_3 ? 64 : 1000;
    }

    /** The {@code config.json} of transformers 4: theta by itself, and {@code rope_scaling}. */
    String classicConfig(String type) {
        return config(
                "\"rope_theta\": %s, \"rope_scaling\": %s, \"torch_dtype\": \"%s\""
                        .formatted(theta(), stretched() ? "{" + stretching() + "}" : "null", type));
    }

    /** The {@code config.json} of transformers 5: all about rotations in one object. */
    String newConfig(String type) {
        String rope = stretched() ? stretching() : "\"rope_type\": \"default\"";
        return config(
                "\"rope_parameters\": {\"rope_theta\": %s, %s}, \"dtype\": \"%s\""
                        .formatted(theta(), rope, type));
    }

    private static String stretching() {
        return """
                "rope_type": "llama3", "factor": %s, "low_freq_factor": %s,
                "high_freq_factor": %s, "original_max_position_embeddings": %d
                """
                .formatted(FACTOR, LOW, HIGH, ORIGINAL_CONTEXT);
    }

    private String config(String rotations) {
        return """
                {"architectures": ["%sForCausalLM"], "model_type": "%s", "vocab_size": %d,
                 "hidden_size": %d, "intermediate_size": %d, "num_hidden_layers": %d,
                 "num_attention_heads": %d, "num_key_value_heads": %d, "rms_norm_eps": %s,
                 "max_position_embeddings": 128, "tie_word_embeddings": %s,
                 "bos_token_id": 1, "eos_token_id": 2, "hidden_act": "silu",
                 "initializer_range": 0.02, "use_cache": true, "attention_dropout": 0.0,
                 "transformers_version": "x", %s, %s}
                """
                .formatted(
                        classPrefix,
                        modelType,
                        VOCABULARY,
                        HIDDEN,
                        INTERMEDIATE,
                        LAYERS,
                        HEADS,
                        kvHeads,
                        eps,
                        tied,
                        rotations,
                        more);
    }
}
