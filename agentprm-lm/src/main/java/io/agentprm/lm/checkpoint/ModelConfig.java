package io.agentprm.lm.checkpoint;

import io.agentprm.lm.LanguageModelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The shape of a decoder of the Llama family: RMSNorm before each block, rotary positions
 * (rotate-half), grouped-query attention, SwiGLU.
 *
 * @param family where it comes from; decides the {@code model_type} and the names of the heads
 * @param vocabSize number of token ids
 * @param hiddenSize width of the residual stream
 * @param intermediateSize width inside the SwiGLU block
 * @param layers number of blocks
 * @param heads query heads of a layer
 * @param kvHeads key and value heads of a layer; divides heads
 * @param headDim width of a head, even; heads × headDim may differ from hiddenSize
 * @param rmsNormEps added to the mean square inside RMSNorm
 * @param ropeTheta base of the rotary frequencies
 * @param ropeScaling what is done to these frequencies
 * @param tiedEmbeddings whether the language head is the token embedding
 * @param contextLength positions that the model was made for
 * @param bosTokenId begin of sequence
 * @param padTokenId padding; where it equals an end token nothing may be derived from ids
 * @param eosTokenIds tokens that end a sequence, perhaps several, perhaps none
 * @param qkvBias biases on query, key and value projections (not on the output)
 * @param qkNorm RMSNorm over each head's query and key before the rotation
 * @param previousTokenEmbedding whether the input at position t is E[x_t] + P[x_(t−1)]; at the
 *     first position P does not contribute
 * @param secondPreviousTokenEmbedding whether the input at position t also holds S[x_(t−2)]; at the
 *     first two positions S does not contribute
 * @param recallEmbedding whether the input at position t also holds R[x_(f−1)], where f is the
 *     earliest position before t with x_f = x_t: the word that stood before this one when it came
 *     up first. R does not contribute where x_t is new, or where f is the first position
 * @param recallUntil a token from whose first occurrence on nothing is recalled: f is earlier than
 *     that
 * @param languageHead whether there are token logits
 * @param scoreHead whether there is a scalar score at every position, from the normalised last
 *     hidden state
 * @param scoreBias whether the score head has a bias
 */
public record ModelConfig(
        ModelFamily family,
        int vocabSize,
        int hiddenSize,
        int intermediateSize,
        int layers,
        int heads,
        int kvHeads,
        int headDim,
        double rmsNormEps,
        double ropeTheta,
        RopeScaling ropeScaling,
        boolean tiedEmbeddings,
        int contextLength,
        OptionalInt bosTokenId,
        OptionalInt padTokenId,
        List<Integer> eosTokenIds,
        boolean qkvBias,
        boolean qkNorm,
        boolean previousTokenEmbedding,
        boolean secondPreviousTokenEmbedding,
        boolean recallEmbedding,
        OptionalInt recallUntil,
        boolean languageHead,
        boolean scoreHead,
        boolean scoreBias) {

    /** Name of the table of previous-token embeddings, [vocab, hidden]. */
    public static final String PREVIOUS_TOKEN_EMBEDDING = "model.prev_embed_tokens.weight";

    /** Name of the table of second-previous-token embeddings, [vocab, hidden]. */
    public static final String SECOND_PREVIOUS_TOKEN_EMBEDDING = "model.prev2_embed_tokens.weight";

    /** Name of the table of recall embeddings, [vocab, hidden]. */
    public static final String RECALL_EMBEDDING = "model.recall_embed_tokens.weight";

    /** Name of the token embedding, [vocab, hidden]. */
    public static final String TOKEN_EMBEDDING = "model.embed_tokens.weight";

    /** Name of the language head where it is not tied, [vocab, hidden]. */
    public static final String LANGUAGE_HEAD = "lm_head.weight";

    /** Name of the score head, [1, hidden]. */
    public static final String SCORE_WEIGHT = "score.weight";

    /** Name of the score head's bias, [1]. */
    public static final String SCORE_BIAS = "score.bias";

    public ModelConfig {
        eosTokenIds = List.copyOf(eosTokenIds);
        requirePositive("vocab_size", vocabSize);
        requirePositive("hidden_size", hiddenSize);
        requirePositive("intermediate_size", intermediateSize);
        requirePositive("num_hidden_layers", layers);
        requirePositive("num_attention_heads", heads);
        requirePositive("num_key_value_heads", kvHeads);
        requirePositive("head_dim", headDim);
        requirePositive("max_position_embeddings", contextLength);
        require(heads % kvHeads == 0, "num_key_value_heads must divide num_attention_heads");
        require(headDim % 2 == 0, "head_dim must be even");
        require(rmsNormEps > 0 && rmsNormEps < 1, "rms_norm_eps must lie in (0, 1)");
        require(
                ropeTheta > 1 && Double.isFinite(ropeTheta),
                "rope_theta must be larger than 1 and finite");
        require(languageHead || scoreHead, "a model needs a language head or a score head");
        require(!scoreBias || scoreHead, "score_bias without a score head");
        require(
                !previousTokenEmbedding || family == ModelFamily.AGENTPRM,
                "previous_token_embedding needs model_type " + ModelFamily.AGENTPRM.modelType());
        require(
                !secondPreviousTokenEmbedding || family == ModelFamily.AGENTPRM,
                "second_previous_token_embedding needs model_type "
                        + ModelFamily.AGENTPRM.modelType());
        require(
                !recallEmbedding || family == ModelFamily.AGENTPRM,
                "recall_embedding needs model_type " + ModelFamily.AGENTPRM.modelType());
        require(
                recallEmbedding || recallUntil.isEmpty(),
                "recall_until_token_id without recall_embedding");
        recallUntil.ifPresent(id -> requireId("recall_until_token_id", id, vocabSize));
        bosTokenId.ifPresent(id -> requireId("bos_token_id", id, vocabSize));
        eosTokenIds.forEach(id -> requireId("eos_token_id", id, vocabSize));
    }

    /** Starts from a small model of our own type; the sizes must be set. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Reads a {@code config.json} of either generation ({@code rope_theta} and {@code
     * rope_scaling}, or {@code rope_parameters}).
     *
     * @throws LanguageModelException if the file cannot be read, the architecture is not supported,
     *     or a key asks for something that would change the numbers and is not supported
     */
    public static ModelConfig read(Path file) {
        return ModelConfigReader.read(file);
    }

    /**
     * Writes a {@code config.json} that {@link #read} and Hugging Face transformers understand (the
     * latter not for {@code model_type} agentprm).
     *
     * @param weights the element type of the weights beside it
     */
    public void write(Path file, ElementType weights) {
        Json.write(file, ModelConfigWriter.toJson(this, weights));
    }

    /** A builder that holds these values. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** The rotary frequencies in radians per position, headDim/2 of them, scaling applied. */
    public double[] ropeFrequencies() {
        double[] out = new double[headDim / 2];
        for (int i = 0; i < out.length; i++) {
            out[i] = ropeScaling.scale(1 / StrictMath.pow(ropeTheta, 2.0 * i / headDim));
        }
        return out;
    }

    /** Every tensor that a checkpoint of this shape holds, in Hugging Face's parameter order. */
    public List<TensorSpec> tensors() {
        List<TensorSpec> out = new ArrayList<>();
        add(out, TOKEN_EMBEDDING, vocabSize, hiddenSize);
        if (previousTokenEmbedding) {
            add(out, PREVIOUS_TOKEN_EMBEDDING, vocabSize, hiddenSize);
        }
        if (secondPreviousTokenEmbedding) {
            add(out, SECOND_PREVIOUS_TOKEN_EMBEDDING, vocabSize, hiddenSize);
        }
        if (recallEmbedding) {
            add(out, RECALL_EMBEDDING, vocabSize, hiddenSize);
        }
        for (int i = 0; i < layers; i++) {
            addLayer(out, "model.layers." + i + ".");
        }
        add(out, "model.norm.weight", hiddenSize);
        if (languageHead && !tiedEmbeddings) {
            add(out, LANGUAGE_HEAD, vocabSize, hiddenSize);
        }
        if (scoreHead) {
            add(out, SCORE_WEIGHT, 1, hiddenSize);
        }
        if (scoreBias) {
            add(out, SCORE_BIAS, 1);
        }
        return List.copyOf(out);
    }

    /** Number of weights; tied ones count once. */
    public long parameters() {
        return tensors().stream().mapToLong(t -> t.shape().elements()).sum();
    }

    private void addLayer(List<TensorSpec> out, String layer) {
        String attention = layer + "self_attn.";
        addProjection(out, attention + "q_proj", heads * headDim, qkvBias);
        addProjection(out, attention + "k_proj", kvHeads * headDim, qkvBias);
        addProjection(out, attention + "v_proj", kvHeads * headDim, qkvBias);
        add(out, attention + "o_proj.weight", hiddenSize, (long) heads * headDim);
        if (qkNorm) {
            add(out, attention + "q_norm.weight", headDim);
            add(out, attention + "k_norm.weight", headDim);
        }
        add(out, layer + "mlp.gate_proj.weight", intermediateSize, hiddenSize);
        add(out, layer + "mlp.up_proj.weight", intermediateSize, hiddenSize);
        add(out, layer + "mlp.down_proj.weight", hiddenSize, intermediateSize);
        add(out, layer + "input_layernorm.weight", hiddenSize);
        add(out, layer + "post_attention_layernorm.weight", hiddenSize);
    }

    private void addProjection(List<TensorSpec> out, String name, int rows, boolean bias) {
        add(out, name + ".weight", rows, hiddenSize);
        if (bias) {
            add(out, name + ".bias", rows);
        }
    }

    private static void add(List<TensorSpec> out, String name, long... dims) {
        out.add(new TensorSpec(name, TensorShape.of(dims)));
    }

    private static void requireId(String name, int id, int vocabSize) {
        require(
                id >= 0 && id < vocabSize,
                name + " " + id + " lies outside of the vocabulary of " + vocabSize);
    }

    private static void requirePositive(String name, int value) {
        require(value > 0, name + " must be positive, was " + value);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /**
     * Collects the values of a {@link ModelConfig}; each method sets the component of its name.
     * Vocabulary, widths, layers and heads are required.
     */
    public static final class Builder {
        private ModelFamily family = ModelFamily.AGENTPRM;
        private int vocabSize;
        private int hiddenSize;
        private int intermediateSize;
        private int layers;
        private int heads;
        private OptionalInt kvHeads = OptionalInt.empty();
        private OptionalInt headDim = OptionalInt.empty();
        private double rmsNormEps = 1e-5;
        private double ropeTheta = 10_000;
        private RopeScaling ropeScaling = RopeScaling.none();
        private boolean tiedEmbeddings = true;
        private int contextLength = 2048;
        private OptionalInt bosTokenId = OptionalInt.empty();
        private OptionalInt padTokenId = OptionalInt.empty();
        private List<Integer> eosTokenIds = List.of();
        private boolean qkvBias;
        private boolean qkNorm;
        private boolean previousTokenEmbedding;
        private boolean secondPreviousTokenEmbedding;
        private boolean recallEmbedding;
        private OptionalInt recallUntil = OptionalInt.empty();
        private boolean languageHead = true;
        private boolean scoreHead;
        private boolean scoreBias;

        private Builder() {}

        private Builder(ModelConfig c) {
            family = c.family;
            vocabSize = c.vocabSize;
            hiddenSize = c.hiddenSize;
            intermediateSize = c.intermediateSize;
            layers = c.layers;
            heads = c.heads;
            kvHeads = OptionalInt.of(c.kvHeads);
            headDim = OptionalInt.of(c.headDim);
            rmsNormEps = c.rmsNormEps;
            ropeTheta = c.ropeTheta;
            ropeScaling = c.ropeScaling;
            tiedEmbeddings = c.tiedEmbeddings;
            contextLength = c.contextLength;
            bosTokenId = c.bosTokenId;
            padTokenId = c.padTokenId;
            eosTokenIds = c.eosTokenIds;
            qkvBias = c.qkvBias;
            qkNorm = c.qkNorm;
            previousTokenEmbedding = c.previousTokenEmbedding;
            secondPreviousTokenEmbedding = c.secondPreviousTokenEmbedding;
            recallEmbedding = c.recallEmbedding;
            recallUntil = c.recallUntil;
            languageHead = c.languageHead;
            scoreHead = c.scoreHead;
            scoreBias = c.scoreBias;
        }

        public Builder family(ModelFamily value) {
            family = value;
            return this;
        }

        public Builder vocabSize(int value) {
            vocabSize = value;
            return this;
        }

        public Builder hiddenSize(int value) {
            hiddenSize = value;
            return this;
        }

        public Builder intermediateSize(int value) {
            intermediateSize = value;
            return this;
        }

        public Builder layers(int value) {
            layers = value;
            return this;
        }

        public Builder heads(int value) {
            heads = value;
            return this;
        }

        /** Default: as many as query heads. */
        public Builder kvHeads(int value) {
            kvHeads = OptionalInt.of(value);
            return this;
        }

        /** Default: hidden size / heads. */
        public Builder headDim(int value) {
            headDim = OptionalInt.of(value);
            return this;
        }

        public Builder rmsNormEps(double value) {
            rmsNormEps = value;
            return this;
        }

        public Builder ropeTheta(double value) {
            ropeTheta = value;
            return this;
        }

        public Builder ropeScaling(RopeScaling value) {
            ropeScaling = value;
            return this;
        }

        public Builder tiedEmbeddings(boolean value) {
            tiedEmbeddings = value;
            return this;
        }

        public Builder contextLength(int value) {
            contextLength = value;
            return this;
        }

        public Builder bosTokenId(int value) {
            bosTokenId = OptionalInt.of(value);
            return this;
        }

        public Builder padTokenId(int value) {
            padTokenId = OptionalInt.of(value);
            return this;
        }

        public Builder eosTokenIds(List<Integer> value) {
            eosTokenIds = value;
            return this;
        }

        public Builder qkvBias(boolean value) {
            qkvBias = value;
            return this;
        }

        public Builder qkNorm(boolean value) {
            qkNorm = value;
            return this;
        }

        public Builder previousTokenEmbedding(boolean value) {
            previousTokenEmbedding = value;
            return this;
        }

        public Builder secondPreviousTokenEmbedding(boolean value) {
            secondPreviousTokenEmbedding = value;
            return this;
        }

        public Builder recallEmbedding(boolean value) {
            recallEmbedding = value;
            return this;
        }

        public Builder recallUntil(int token) {
            recallUntil = OptionalInt.of(token);
            return this;
        }

        public Builder languageHead(boolean value) {
            languageHead = value;
            return this;
        }

        public Builder scoreHead(boolean value) {
            scoreHead = value;
            return this;
        }

        public Builder scoreBias(boolean value) {
            scoreBias = value;
            return this;
        }

        /**
         * @throws IllegalArgumentException if a value is missing or impossible
         */
        public ModelConfig build() {
            int width =
                    headDim.isPresent() ? headDim.getAsInt() : defaultHeadDim(hiddenSize, heads);
            return new ModelConfig(
                    family,
                    vocabSize,
                    hiddenSize,
                    intermediateSize,
                    layers,
                    heads,
                    kvHeads.orElse(heads),
                    width,
                    rmsNormEps,
                    ropeTheta,
                    ropeScaling,
                    tiedEmbeddings,
                    contextLength,
                    bosTokenId,
                    padTokenId,
                    eosTokenIds,
                    qkvBias,
                    qkNorm,
                    previousTokenEmbedding,
                    secondPreviousTokenEmbedding,
                    recallEmbedding,
                    recallUntil,
                    languageHead,
                    scoreHead,
                    scoreBias);
        }

        private static int defaultHeadDim(int hiddenSize, int heads) {
            requirePositive("num_attention_heads", heads);
            require(
                    hiddenSize % heads == 0,
                    "num_attention_heads must divide hidden_size where head_dim is not given");
            return hiddenSize / heads;
        }
    }
}
