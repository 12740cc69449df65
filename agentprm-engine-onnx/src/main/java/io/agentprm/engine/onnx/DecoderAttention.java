package io.agentprm.engine.onnx;

import io.agentprm.engine.onnx.DecoderGraph.Feed;
import io.agentprm.engine.onnx.OnnxGraph.Attributes;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.TensorShape;
import java.util.List;

/**
 * Attention of the new tokens over the cache and over each other. In plain operators: ONNX
 * Runtime's GroupQueryAttention (1.29.0) refuses several new tokens behind a cache unless the batch
 * is one sequence, and needs a copy of a prompt's cache for each of the candidates that share it.
 *
 * <p>Queries are [s, kv heads, group, w, size], keys and values [s, kv heads, 1, columns or w,
 * size]: a product for each query head, for which ONNX Runtime has a kernel where w is 1.
 *
 * <p>Softmax runs over both parts at once, the products stay apart, so that the cache is read where
 * it lies and never copied.
 */
final class DecoderAttention {
    private final OnnxGraph graph;
    private final ModelConfig config;
    private final String positions;
    private final String tokens;
    private final String places;
    private final String mask;
    private final String widths;
    private final String cosines;
    private final String sines;
    private List<String> keysValues = List.of();

    DecoderAttention(OnnxGraph graph, ModelConfig config) {
        this.graph = graph;
        this.config = config;
        positions = graph.input(Feed.POSITIONS.label(), TensorType.INT64, "s", "w");
        tokens = graph.input(Feed.TOKENS.label(), TensorType.INT64, "s", "w");
        places = graph.input(Feed.PLACES.label(), TensorType.INT64, "n");
        mask = graph.input(Feed.MASK.label(), TensorType.FLOAT, "s", 1, 1, "w", "c_w");
        widths = graph.input(Feed.WIDTHS.label(), TensorType.INT64, 2);
        TensorShape shape = TensorShape.of(config.contextLength(), config.headDim() / 2);
        cosines = graph.floats("rotary.cos", shape, () -> angles(false));
        sines = graph.floats("rotary.sin", shape, () -> angles(true));
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
        int heads = config.heads();
        int kvHeads = config.kvHeads();
        int size = config.headDim();
        String placed = graph.node("Gather", Attributes.none(), projections.of(x, layer), tokens);
        String byHead =
                graph.node(
                        "Transpose",
                        Attributes.none().numbers("perm", 0, 2, 1, 3),
                        reshaped(placed, 0, 0, heads + 2L * kvHeads, size));
        List<String> parts =
                graph.nodes(
                        "",
                        "Split",
                        Attributes.none().number("axis", 1),
                        3,
                        byHead,
                        graph.constant(heads, kvHeads, kvHeads));
        String attention = "model.layers." + layer + ".self_attn.";
        String keys = rotated(parts.get(1), attention + "k_norm.weight", norm);
        String values = parts.get(2);
        keysValues = List.of(keys, values);
        String turned = rotated(parts.get(0), attention + "q_norm.weight", norm);
        String queries = reshaped(turned, 0, kvHeads, heads / kvHeads, -1, size);
        String cachedKeys = graph.input(DecoderGraph.keys(layer), TensorType.FLOAT, cache());
        String cachedValues = graph.input(DecoderGraph.values(layer), TensorType.FLOAT, cache());
        String scores =
                graph.node(
                        "Concat",
                        Attributes.none().number("axis", -1),
                        scores(queries, cachedKeys),
                        scores(queries, shared(keys)));
        String masked = graph.node("Add", Attributes.none(), scores, mask);
        String weights = graph.node("Softmax", Attributes.none().number("axis", -1), masked);
        List<String> spread =
                graph.nodes("", "Split", Attributes.none().number("axis", -1), 2, weights, widths);
        String seen =
                graph.node(
                        "Add",
                        Attributes.none(),
                        graph.node("MatMul", Attributes.none(), spread.get(0), cachedValues),
                        graph.node("MatMul", Attributes.none(), spread.get(1), shared(values)));
        String byPlace =
                graph.node("Transpose", Attributes.none().numbers("perm", 0, 3, 1, 2, 4), seen);
        return graph.node(
                "Gather", Attributes.none(), reshaped(byPlace, -1, (long) heads * size), places);
    }

    /** Queries or keys, normalised where the model does that, turned by their positions. */
    private String rotated(String x, String weight, HeadNorm norm) {
        return graph.runtimeNode(
                "RotaryEmbedding",
                Attributes.none(),
                config.qkNorm() ? norm.of(x, weight) : x,
                positions,
                cosines,
                sines);
    }

    /**
     * Products of queries, which carry the root of the head size already, and keys. A factor here
     * would bar ONNX Runtime's kernel for a single query.
     */
    private String scores(String queries, String keys) {
        return graph.runtimeNode(
                "FusedMatMul", Attributes.none().number("transB", 1), queries, keys);
    }

    /** Keys or values of all queries of a group: [s, kv heads, 1, w, size]. */
    private String shared(String x) {
        return reshaped(x, 0, 0, 1, -1, config.headDim());
    }

    private String reshaped(String x, long... shape) {
        return graph.node("Reshape", Attributes.none(), x, graph.constant(shape));
    }

    /** Keys and values of the new tokens in the layer added last, [s, kv heads, w, size] each. */
    List<String> keysValues() {
        return keysValues;
    }

    private Object[] cache() {
        return new Object[] {"s", config.kvHeads(), 1, "c", config.headDim()};
    }
}
