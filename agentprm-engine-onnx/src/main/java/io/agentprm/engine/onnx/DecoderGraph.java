package io.agentprm.engine.onnx;

import io.agentprm.engine.onnx.OnnxGraph.Attributes;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.TensorShape;
import io.agentprm.lm.checkpoint.TensorValues;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.function.Function;

/**
 * A decoder of the Llama family as an ONNX graph: one pass over new tokens of several sequences.
 * Each writes its keys and values into columns of its sequence's cache, and sees the columns that a
 * mask shows. So prompts of any lengths, candidates that share a prompt, and trees of replies are
 * all the same pass.
 *
 * <p>Inputs: {@link Feed} and {@link #cache}. Sizes: n new tokens, s sequences, w places for the
 * new tokens of a sequence, c columns of the caches, p places of which distributions are wanted, m
 * marks whose scores are.
 */
final class DecoderGraph {
    /** Names of the inputs. */
    enum Feed {
        /** Ids of the new tokens, [n]. */
        IDS,
        /** Ids before them, [n]; the size of the vocabulary where there is none. */
        PREVIOUS,
        /** Ids before these, [n]; the size of the vocabulary where there is none. */
        SECOND_PREVIOUS,
        /** Recalled ids, [n]; the size of the vocabulary where there is none. */
        RECALLED,
        /** Positions of the new tokens in their sequences, [n, 1]. */
        POSITIONS,
        /** Number of the new token at each place, [s, w]. */
        TOKENS,
        /** Place of each new token, [n]. */
        PLACES,
        /**
         * Rows of the caches that get the new tokens' keys and values, [n × kv heads, 1]: of each
         * token one for each head.
         */
        CACHE_ROWS,
        /** The caches' sizes, [s, kv heads, 1, c, head size]. */
        SHAPE,
        /** Added to scores of attention, [s, 1, 1, w, c]. */
        MASK,
        /** New tokens after which distributions are wanted, [p]. */
        WANTED,
        /** Factors of their logits (1 / temperature), [p, 1]. */
        SHARPNESS,
        /** Ids whose log-probabilities are wanted, [p, 1]. */
        TARGETS,
        /** New tokens after which scores are wanted, [m]. */
        MARKS;

        String label() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Logits times their factors, [p, vocabulary]. */
    static final String LOGITS = "logits";

    /** Log-probabilities of all tokens, [p, vocabulary]. */
    static final String ALL_LOG_PROBS = "all_log_probs";

    /** Probabilities of all tokens, [p, vocabulary]. */
    static final String ALL_PROBS = "all_probs";

    /** Log-probabilities of the targets, [p, 1]. */
    static final String LOG_PROBS = "log_probs";

    /** Entropies in nats, [p, 1]. */
    static final String ENTROPIES = "entropies";

    /** Scores, [m, 1]. */
    static final String SCORES = "scores";

    private static final String WEIGHT = ".weight";

    private final ModelConfig config;
    private final Function<String, TensorValues> tensors;
    private final OnnxGraph graph;
    private final Matrices matrices;

    private DecoderGraph(
            ModelConfig config,
            Precision precision,
            Order order,
            Function<String, TensorValues> tensors,
            OnnxGraph graph) {
        this.config = config;
        this.tensors = name -> queries(name) ? scaled(tensors.apply(name)) : tensors.apply(name);
        this.graph = graph;
        this.matrices = new Matrices(graph, precision, order);
    }

    /**
     * Puts the graph together.
     *
     * @param order of float32 products
     * @param tensors gives the values of a checkpoint's tensors by name, when the weights are asked
     *     for theirs
     */
    static void build(
            ModelConfig config,
            Precision precision,
            Order order,
            Function<String, TensorValues> tensors,
            OnnxGraph graph) {
        new DecoderGraph(config, precision, order, tensors, graph).build();
    }

    /**
     * Name of the input with a layer's cached keys or values, by rows: [s × kv heads × c, head
     * size].
     *
     * @param plane 2 × layer for keys, one more for values
     */
    static String cache(int plane) {
        return "cache_" + plane;
    }

    /**
     * Name of the output with the same and what the new tokens added. Over the same memory as the
     * input, nothing but these rows is written.
     */
    static String filled(int plane) {
        return "filled_" + plane;
    }

    /** What gives queries their size. */
    private boolean queries(String tensor) {
        return tensor.contains(config.qkNorm() ? ".self_attn.q_norm." : ".self_attn.q_proj.");
    }

    /** Divided by the root of the head size, as scores of attention are. */
    private TensorValues scaled(TensorValues values) {
        double root = Math.sqrt(config.headDim());
        return (from, target) -> {
            FloatBuffer piece = target.slice();
            values.read(from, target);
            for (int i = 0; i < piece.capacity(); i++) {
                piece.put(i, (float) (piece.get(i) / root));
            }
        };
    }

    private void build() {
        String x = embeddings();
        DecoderAttention attention = new DecoderAttention(graph, config);
        String change = "";
        for (int l = 0; l < config.layers(); l++) {
            String layer = "model.layers." + l + ".";
            Normed first = normed(x, change, layer + "input_layernorm.weight");
            String mixed = attention.of(l, first.normed(), this::projections, this::headNorm);
            String seen =
                    product(
                            mixed,
                            layer + "self_attn.o_proj.weight",
                            config.hiddenSize(),
                            config.heads() * config.headDim());
            Normed second = normed(first.sum(), seen, layer + "post_attention_layernorm.weight");
            x = second.sum();
            change = gated(second.normed(), layer + "mlp.");
        }
        String last = normed(x, change, "model.norm.weight").normed();
        if (config.languageHead()) {
            languageHead(last);
        }
        if (config.scoreHead()) {
            scoreHead(last);
        }
    }

    private String embeddings() {
        String ids = graph.input(Feed.IDS.label(), TensorType.INT64, "n");
        String x =
                matrices.table(
                                ModelConfig.TOKEN_EMBEDDING,
                                config.vocabSize(),
                                config.hiddenSize(),
                                tensors.apply(ModelConfig.TOKEN_EMBEDDING))
                        .rows(ids);
        if (config.previousTokenEmbedding()) {
            x = plus(x, Feed.PREVIOUS, ModelConfig.PREVIOUS_TOKEN_EMBEDDING);
        }
        if (config.secondPreviousTokenEmbedding()) {
            x = plus(x, Feed.SECOND_PREVIOUS, ModelConfig.SECOND_PREVIOUS_TOKEN_EMBEDDING);
        }
        if (config.recallEmbedding()) {
            x = plus(x, Feed.RECALLED, ModelConfig.RECALL_EMBEDDING);
        }
        return x;
    }

    /** Adds rows of a table that ends with a row of zeros, for what does not exist. */
    private String plus(String x, Feed feed, String table) {
        String ids = graph.input(feed.label(), TensorType.INT64, "n");
        String more =
                matrices.table(
                                table,
                                config.vocabSize() + 1,
                                config.hiddenSize(),
                                withZeros(tensors.apply(table)))
                        .rows(ids);
        return graph.node("Add", Attributes.none(), x, more);
    }

    /** A row of zeros behind those of the vocabulary. */
    private TensorValues withZeros(TensorValues table) {
        return (from, target) -> {
            if (from < (long) config.vocabSize() * config.hiddenSize()) {
                table.read(from, target);
            } else {
                target.put(new float[target.remaining()]);
            }
        };
    }

    /** A sum and its norm. */
    private record Normed(String sum, String normed) {}

    /**
     * RMSNorm of x + change.
     *
     * @param change empty text where there is none
     */
    private Normed normed(String x, String change, String weight) {
        String gain = vector(weight, config.hiddenSize());
        if (change.isEmpty()) {
            return new Normed(x, norm(x, gain));
        }
        String name = weight.replace(".weight", "");
        graph.node(
                "SkipSimplifiedLayerNormalization",
                OnnxGraph.MICROSOFT,
                Attributes.none().real("epsilon", config.rmsNormEps()),
                List.of(x, change, gain),
                List.of(name, "", "", name + ".sum"));
        return new Normed(name + ".sum", name);
    }

    private String norm(String x, String gain) {
        return graph.node(
                "SimplifiedLayerNormalization",
                Attributes.none()
                        .number("axis", -1)
                        .real("epsilon", config.rmsNormEps())
                        .number("stash_type", 1),
                x,
                gain);
    }

    private String headNorm(String x, String weight) {
        return norm(x, vector(weight, config.headDim()));
    }

    private String vector(String name, int size) {
        return graph.floats(name, TensorShape.of(size), tensors.apply(name));
    }

    /** Queries, keys and values of all heads, one product: [n, (heads + 2 kv heads) size]. */
    private String projections(String x, int layer) {
        String attention = "model.layers." + layer + ".self_attn.";
        int width = (config.heads() + 2 * config.kvHeads()) * config.headDim();
        String y =
                matrices.product(
                        x,
                        attention + "qkv_proj.weight",
                        width,
                        config.hiddenSize(),
                        stacked(attention, WEIGHT));
        if (!config.qkvBias()) {
            return y;
        }
        String bias =
                graph.floats(
                        attention + "qkv_proj.bias",
                        TensorShape.of(width),
                        stacked(attention, ".bias"));
        return graph.node("Add", Attributes.none(), y, bias);
    }

    /** SwiGLU: down(silu(gate x) × up x). */
    private String gated(String x, String mlp) {
        int inner = config.intermediateSize();
        States states = States.rows(x);
        // Two products, for one would have to be split by a copy that takes as long as what is won.
        States gate = product(states, mlp + "gate_proj.weight", inner, config.hiddenSize());
        States up = product(states, mlp + "up_proj.weight", inner, config.hiddenSize());
        // QuickGelu is x × sigmoid(alpha x).
        String silu =
                graph.runtimeNode("QuickGelu", Attributes.none().real("alpha", 1), gate.name());
        String hidden = graph.node("Mul", Attributes.none(), silu, up.name());
        return matrices.rows(
                product(
                        new States(hidden, gate.byColumns()),
                        mlp + "down_proj.weight",
                        config.hiddenSize(),
                        inner));
    }

    private States product(States x, String name, int rows, int columns) {
        return matrices.product(x, name, rows, columns, tensors.apply(name));
    }

    private String product(String x, String name, int rows, int columns) {
        return matrices.product(x, name, rows, columns, tensors.apply(name));
    }

    /** Queries', keys' and values' weights or biases, one below the other. */
    private TensorValues stacked(String attention, String suffix) {
        long columns = suffix.equals(WEIGHT) ? config.hiddenSize() : 1;
        long own = columns * config.heads() * config.headDim();
        long shared = columns * config.kvHeads() * config.headDim();
        TensorValues queries = tensors.apply(attention + "q_proj" + suffix);
        TensorValues keys = tensors.apply(attention + "k_proj" + suffix);
        TensorValues values = tensors.apply(attention + "v_proj" + suffix);
        return (from, target) -> {
            long at = piece(queries, from, 0, own, target);
            at = piece(keys, at, own, shared, target);
            piece(values, at, own + shared, shared, target);
        };
    }

    /**
     * Reads what a tensor has of a piece.
     *
     * @param at number of the first value that is still missing
     * @param start number of the tensor's first value
     * @return number of the first value that is missing now
     */
    private static long piece(
            TensorValues tensor, long at, long start, long length, FloatBuffer target) {
        int count = (int) Math.min(target.remaining(), start + length - at);
        if (count <= 0) {
            return at;
        }
        int limit = target.limit();
        tensor.read(at - start, target.limit(target.position() + count));
        target.limit(limit);
        return at + count;
    }

    private void languageHead(String rows) {
        String wanted = graph.input(Feed.WANTED.label(), TensorType.INT64, "p");
        String sharpness = graph.input(Feed.SHARPNESS.label(), TensorType.FLOAT, "p", 1);
        String targets = graph.input(Feed.TARGETS.label(), TensorType.INT64, "p", 1);
        String weight =
                config.tiedEmbeddings() ? ModelConfig.TOKEN_EMBEDDING : ModelConfig.LANGUAGE_HEAD;
        String logits =
                matrices.head(
                        graph.node("Gather", Attributes.none(), rows, wanted),
                        weight,
                        config.vocabSize(),
                        config.hiddenSize(),
                        tensors.apply(weight));
        table("Mul", Attributes.none(), LOGITS, logits, sharpness);
        table("LogSoftmax", Attributes.none().number("axis", -1), ALL_LOG_PROBS, LOGITS);
        table("Exp", Attributes.none(), ALL_PROBS, ALL_LOG_PROBS);
        String picked =
                graph.node(
                        "GatherElements",
                        Attributes.none().number("axis", 1),
                        ALL_LOG_PROBS,
                        targets);
        String sum =
                graph.node(
                        "ReduceSum",
                        Attributes.none().number("keepdims", 1),
                        graph.node("Mul", Attributes.none(), ALL_PROBS, ALL_LOG_PROBS),
                        graph.constant(-1));
        String entropy = graph.node("Neg", Attributes.none(), sum);
        graph.output(picked, LOG_PROBS, TensorType.FLOAT, "p", 1);
        graph.output(entropy, ENTROPIES, TensorType.FLOAT, "p", 1);
    }

    /** A node whose output, a number for each token of the vocabulary, is one of the graph's. */
    private void table(String operator, Attributes attributes, String name, String... inputs) {
        graph.node(operator, "", attributes, List.of(inputs), List.of(name));
        graph.declareOutput(name, TensorType.FLOAT, "p", config.vocabSize());
    }

    private void scoreHead(String rows) {
        String marks = graph.input(Feed.MARKS.label(), TensorType.INT64, "m");
        String score =
                graph.node(
                        "MatMul",
                        Attributes.none(),
                        graph.node("Gather", Attributes.none(), rows, marks),
                        graph.floats(
                                ModelConfig.SCORE_WEIGHT,
                                TensorShape.of(config.hiddenSize(), 1),
                                tensors.apply(ModelConfig.SCORE_WEIGHT)));
        if (config.scoreBias()) {
            score = graph.node("Add", Attributes.none(), score, vector(ModelConfig.SCORE_BIAS, 1));
        }
        graph.output(score, SCORES, TensorType.FLOAT, "m", 1);
    }
}
