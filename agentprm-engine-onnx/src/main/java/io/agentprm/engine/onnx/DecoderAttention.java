package io.agentprm.engine.onnx;

import io.agentprm.engine.onnx.DecoderGraph.Feed;
import io.agentprm.engine.onnx.OnnxGraph.Attributes;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.TensorShape;
import io.agentprm.lm.checkpoint.TensorValues;
import java.util.List;

/**
 * Attention of the new tokens over the caches, which get their keys and values first: in place, so
 * that a step copies no cache. In plain operators: ONNX Runtime's GroupQueryAttention (1.29.0)
 * updates caches in place too, but refuses several new tokens behind a cache unless the batch is
 * one sequence, and needs a copy of a prompt's cache for each of the candidates that share it.
 *
 * <p>Queries are [s, kv heads, group, w, size], keys and values [s, kv heads, 1, c, size]: a
 * product for each query head, for which ONNX Runtime has a kernel where w is 1.
 */
final class DecoderAttention {
    private final OnnxGraph graph;
    private final ModelConfig config;
    private final String positions;
    private final String tokens;
    private final String places;
    private final String rows;
    private final String shape;
    private final String mask;
    private final String cosines;
    private final String sines;

    DecoderAttention(OnnxGraph graph, ModelConfig config) {
        this.graph = graph;
        this.config = config;
        positions = graph.input(Feed.POSITIONS.label(), TensorType.INT64, "n", 1);
        tokens = graph.input(Feed.TOKENS.label(), TensorType.INT64, "s", "w");
        places = graph.input(Feed.PLACES.label(), TensorType.INT64, "n");
        rows = graph.input(Feed.CACHE_ROWS.label(), TensorType.INT64, "n_kv", 1);
        shape = graph.input(Feed.SHAPE.label(), TensorType.INT64, 5);
        mask = graph.input(Feed.MASK.label(), TensorType.FLOAT, "s", 1, 1, "w", "c");
        TensorShape table = TensorShape.of(config.contextLength(), config.headDim() / 2);
        cosines = graph.floats("rotary.cos", table, TensorValues.of(angles(false)));
        sines = graph.floats("rotary.sin", table, TensorValues.of(angles(true)));
    }

    private float[] angles(boolean sine) {
        double[] frequencies = config.ropeFrequencies();
        float[] out = new float[config.contextLength() * frequencies.length];
        int at = 0;
        for (int p = 0; p < config.contextLength(); p++) {
            for (double frequency : frequencies) {
                double angle = p * frequency;
                out[at++] = (float) (sine ? Math.sin(angle) : Math.cos(angle));
            }
        }
        return out;
    }

    /** Makes queries, keys and values, [n, (heads + 2 kv heads) size]. */
    interface Projections {
        String of(String x, int layer);
    }

    /** Normalises each head's query or key by a weight of that name. */
    interface HeadNorm {
        String of(String x, String weight);
    }

    /**
     * Adds the nodes of a layer.
     *
     * @param x normed states of the new tokens, [n, hidden]
     * @return what the heads have seen, [n, heads × size]
     */
    String of(int layer, String x, Projections projections, HeadNorm norm) {
        int size = config.headDim();
        long all = (long) config.heads() * size;
        long shared = (long) config.kvHeads() * size;
        int group = config.heads() / config.kvHeads();
        List<String> parts =
                graph.nodes(
                        "",
                        "Split",
                        Attributes.none().number("axis", -1),
                        3,
                        projections.of(x, layer),
                        graph.constant(all, shared, shared));
        String attention = "model.layers." + layer + ".self_attn.";
        String keys = rotated(parts.get(1), config.kvHeads(), attention + "k_norm.weight", norm);
        String allKeys = filled(2 * layer, keys);
        String allValues = filled(2 * layer + 1, parts.get(2));
        String turned = rotated(parts.get(0), config.heads(), attention + "q_norm.weight", norm);
        String placed = graph.node("Gather", Attributes.none(), reshaped(turned, -1, all), tokens);
        String queries =
                graph.node(
                        "Transpose",
                        Attributes.none().numbers("perm", 0, 2, 3, 1, 4),
                        reshaped(placed, 0, 0, config.kvHeads(), group, size));
        String masked = graph.node("Add", Attributes.none(), scores(queries, allKeys), mask);
        String weights = graph.node("Softmax", Attributes.none().number("axis", -1), masked);
        String seen = graph.node("MatMul", Attributes.none(), weights, allValues);
        String byPlace =
                graph.node("Transpose", Attributes.none().numbers("perm", 0, 3, 1, 2, 4), seen);
        return graph.node("Gather", Attributes.none(), reshaped(byPlace, -1, all), places);
    }

    /**
     * Queries or keys, normalised where the model does that, turned by their positions: [n, 1,
     * heads × size]. To the operator each token is a sequence of its own, for it refuses sequences
     * longer than the context, which all tokens of a batch together may be.
     */
    private String rotated(String x, int heads, String weight, HeadNorm norm) {
        long size = config.headDim();
        String states = x;
        if (config.qkNorm()) {
            states = norm.of(reshaped(x, -1, heads, size), weight);
        }
        return graph.runtimeNode(
                "RotaryEmbedding",
                Attributes.none(),
                reshaped(states, -1, 1, heads * size),
                positions,
                cosines,
                sines);
    }

    /** A cache with the new tokens' keys or values in it, [s, kv heads, 1, c, size]. */
    private String filled(int plane, String values) {
        String cache =
                graph.input(
                        DecoderGraph.cache(plane), TensorType.FLOAT, "s_kv_c", config.headDim());
        String name = DecoderGraph.filled(plane);
        graph.node(
                "ScatterND",
                "",
                Attributes.none(),
                List.of(cache, rows, reshaped(values, -1, config.headDim())),
                List.of(name));
        graph.declareOutput(name, TensorType.FLOAT, "s_kv_c", config.headDim());
        return graph.node("Reshape", Attributes.none(), name, shape);
    }

    /**
     * Products of queries, which carry the root of the head size already, and keys. A factor here
     * would bar ONNX Runtime's kernel for a single query.
     */
    private String scores(String queries, String keys) {
        return graph.runtimeNode(
                "FusedMatMul", Attributes.none().number("transB", 1), queries, keys);
    }

    private String reshaped(String x, long... sizes) {
        return graph.node("Reshape", Attributes.none(), x, graph.constant(sizes));
    }
}
