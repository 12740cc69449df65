package io.agentprm.lm.gguf;

import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.RopeScaling;
import io.agentprm.lm.checkpoint.TensorShape;
import io.agentprm.lm.checkpoint.TensorSpec;
import io.agentprm.lm.checkpoint.TensorValues;
import io.agentprm.lm.checkpoint.Tensors;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * A model as llama.cpp knows it. What it computes decides its name there, not where it comes from:
 * {@code qwen3} normalises queries and keys, {@code qwen2} has biases on the projections, {@code
 * llama} has neither.
 */
final class Architecture {
    private static final Map<String, String> OUTSIDE =
            Map.of(
                    ModelConfig.TOKEN_EMBEDDING,
                    "token_embd.weight",
                    "model.norm.weight",
                    "output_norm.weight",
                    ModelConfig.LANGUAGE_HEAD,
                    "output.weight");

    private static final Map<String, String> INSIDE =
            Map.ofEntries(
                    Map.entry("input_layernorm", "attn_norm"),
                    Map.entry("self_attn.q_proj", "attn_q"),
                    Map.entry("self_attn.k_proj", "attn_k"),
                    Map.entry("self_attn.v_proj", "attn_v"),
                    Map.entry("self_attn.o_proj", "attn_output"),
                    Map.entry("self_attn.q_norm", "attn_q_norm"),
                    Map.entry("self_attn.k_norm", "attn_k_norm"),
                    Map.entry("post_attention_layernorm", "ffn_norm"),
                    Map.entry("mlp.gate_proj", "ffn_gate"),
                    Map.entry("mlp.up_proj", "ffn_up"),
                    Map.entry("mlp.down_proj", "ffn_down"));

    private static final String LAYERS = "model.layers.";

    private final ModelConfig config;
    private final String name;

    private Architecture(ModelConfig config, String name) {
        this.config = config;
        this.name = name;
    }

    /**
     * @param source for messages
     * @throws LanguageModelException if the model has a part that llama.cpp does not have
     */
    static Architecture of(ModelConfig config, Path source) {
        List<String> unknown = new ArrayList<>();
        note(unknown, config.previousTokenEmbedding(), "previous-token embedding");
        note(unknown, config.secondPreviousTokenEmbedding(), "second-previous-token embedding");
        note(unknown, config.recallEmbedding(), "recall embedding");
        note(unknown, config.scoreHead(), "score head");
        note(unknown, !config.languageHead(), "missing language head");
        note(unknown, config.qkNorm() && config.qkvBias(), "query-key norm together with biases");
        boolean llama = !config.qkNorm() && !config.qkvBias();
        note(
                unknown,
                !llama && config.ropeScaling() instanceof RopeScaling.Llama3,
                "llama3 scaling of rotary positions beside biases or query-key norm");
        if (!unknown.isEmpty()) {
            throw new LanguageModelException(
                    source
                            + " cannot be written as GGUF: llama.cpp knows no "
                            + String.join(", no ", unknown)
                            + "; export it for ONNX Runtime, or use a model without");
        }
        return new Architecture(config, llama ? "llama" : config.qkNorm() ? "qwen3" : "qwen2");
    }

    private static void note(List<String> parts, boolean present, String part) {
        if (present) {
            parts.add(part);
        }
    }

    void describe(Metadata metadata) {
        metadata.text("general.architecture", name)
                .number(name + ".vocab_size", config.vocabSize())
                .number(name + ".context_length", config.contextLength())
                .number(name + ".embedding_length", config.hiddenSize())
                .number(name + ".block_count", config.layers())
                .number(name + ".feed_forward_length", config.intermediateSize())
                .number(name + ".attention.head_count", config.heads())
                .number(name + ".attention.head_count_kv", config.kvHeads())
                .number(name + ".attention.key_length", config.headDim())
                .number(name + ".attention.value_length", config.headDim())
                .real(name + ".attention.layer_norm_rms_epsilon", config.rmsNormEps())
                .number(name + ".rope.dimension_count", config.headDim())
                .real(name + ".rope.freq_base", config.ropeTheta());
        if (config.ropeScaling() instanceof RopeScaling.Linear linear) {
            metadata.text(name + ".rope.scaling.type", "linear")
                    .real(name + ".rope.scaling.factor", linear.factor());
        }
    }

    List<GgufTensor> tensors(Tensors weights, GgufPrecision precision) {
        List<GgufTensor> out = new ArrayList<>();
        if (config.ropeScaling() instanceof RopeScaling.Llama3) {
            out.add(frequencyDivisors());
        }
        for (TensorSpec spec : config.tensors()) {
            out.add(
                    new GgufTensor(
                            name(spec.name()),
                            spec.shape(),
                            format(spec, precision),
                            rowOrder(spec.name()),
                            TensorValues.from(weights, spec.name())));
        }
        return out;
    }

    /** What llama.cpp divides the rotary frequencies by, [headDim/2]. */
    private GgufTensor frequencyDivisors() {
        double[] scaled = config.ropeFrequencies();
        double[] plain =
                config.toBuilder().ropeScaling(RopeScaling.none()).build().ropeFrequencies();
        float[] divisors = new float[scaled.length];
        for (int i = 0; i < divisors.length; i++) {
            divisors[i] = (float) (plain[i] / scaled[i]);
        }
        return new GgufTensor(
                "rope_freqs.weight",
                TensorShape.of(divisors.length),
                WeightFormat.F32,
                LongUnaryOperator.identity(),
                TensorValues.of(divisors));
    }

    private static String name(String parameter) {
        if (!parameter.startsWith(LAYERS)) {
            return OUTSIDE.get(parameter);
        }
        int layerEnd = parameter.indexOf('.', LAYERS.length());
        int kind = parameter.lastIndexOf('.');
        return "blk."
                + parameter.substring(LAYERS.length(), layerEnd)
                + "."
                + INSIDE.get(parameter.substring(layerEnd + 1, kind))
                + parameter.substring(kind);
    }

    /** Rows that are not made of whole blocks get half precision, as in llama.cpp's own tools. */
    private static WeightFormat format(TensorSpec spec, GgufPrecision precision) {
        if (spec.shape().rank() == 1) {
            return WeightFormat.F32;
        }
        WeightFormat wanted =
                OUTSIDE.containsKey(spec.name()) ? precision.tables() : precision.matrices();
        return wanted.fits(spec.shape().dim(1)) ? wanted : WeightFormat.F16;
    }

    /**
     * Checkpoints rotate the pair of rows (i, i + d/2) of a head, llama.cpp's {@code llama} the
     * pair (2i, 2i + 1): so query and key rows change places. Its other architectures rotate as
     * checkpoints do.
     */
    private LongUnaryOperator rowOrder(String parameter) {
        boolean rotated = parameter.contains(".q_proj.") || parameter.contains(".k_proj.");
        if (!name.equals("llama") || !rotated) {
            return LongUnaryOperator.identity();
        }
        int d = config.headDim();
        return row -> {
            long inHead = row % d;
            return row - inHead + inHead % 2 * (d / 2) + inHead / 2;
        };
    }
}
