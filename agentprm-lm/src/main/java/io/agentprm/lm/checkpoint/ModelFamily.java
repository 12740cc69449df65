package io.agentprm.lm.checkpoint;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** The decoder families that can be read; all are Llama with small differences. */
public enum ModelFamily {
    /** Llama 2 and 3.x, SmolLM2. */
    LLAMA("llama", "Llama"),
    /** Llama with switches of our own, such as the previous-token embedding. */
    AGENTPRM("agentprm", "AgentPrm"),
    /** Mistral without a sliding window. */
    MISTRAL("mistral", "Mistral"),
    /** Qwen 2 and 2.5: biases on the query, key and value projections. */
    QWEN2("qwen2", "Qwen2"),
    /** Qwen 3: queries and keys are normalised per head. */
    QWEN3("qwen3", "Qwen3");

    private final String modelType;
    private final String classPrefix;

    ModelFamily(String modelType, String classPrefix) {
        this.modelType = modelType;
        this.classPrefix = classPrefix;
    }

    /** The {@code model_type} of config.json. */
    public String modelType() {
        return modelType;
    }

    String causalClass() {
        return classPrefix + "ForCausalLM";
    }

    String classifierClass() {
        return classPrefix + "ForSequenceClassification";
    }

    /** Key and value heads where config.json is silent; empty for as many as query heads. */
    OptionalInt unsaidKvHeads() {
        return switch (this) {
            case MISTRAL -> OptionalInt.of(8);
            case QWEN2, QWEN3 -> OptionalInt.of(32);
            default -> OptionalInt.empty();
        };
    }

    /** Width of a head where config.json is silent; empty for hidden size / heads. */
    OptionalInt unsaidHeadDim() {
        return this == QWEN3 ? OptionalInt.of(128) : OptionalInt.empty();
    }

    static Optional<ModelFamily> of(String modelType) {
        return Arrays.stream(values()).filter(f -> f.modelType.equals(modelType)).findFirst();
    }

    static String supported() {
        return Arrays.stream(values())
                .map(ModelFamily::modelType)
                .collect(Collectors.joining(", "));
    }
}
