package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.engine.onnx.OnnxGraph.Attributes;
import io.agentprm.lm.DeviceChoice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Why attention is made of plain operators: ONNX Runtime's fused one has no way for observations of
 * several conversations at once. Where this test fails, a later version has one, and {@link
 * DecoderAttention} may take it.
 */
class GroupQueryAttentionTest {
    private static final int HEADS = 2;
    private static final int SIZE = 16;
    private static final int PAST = 5;

    private final Map<String, HostTensor> tensors = new HashMap<>();

    @Test
    void takesSeveralTokensBehindTheCacheOfOneConversation() {
        assertDoesNotThrow(() -> run(1, 3));
    }

    @Test
    void takesOneTokenBehindTheCachesOfSeveral() {
        assertDoesNotThrow(() -> run(2, 1));
    }

    @Test
    void refusesSeveralTokensBehindTheCachesOfSeveral() {
        String message = assertThrows(OnnxEngineException.class, () -> run(2, 3)).getMessage();
        assertTrue(message.contains("batch_size must be 1"), message);
    }

    private void run(int conversations, int tokens) {
        OnnxRuntime runtime = OnnxRuntime.start(DeviceChoice.CPU, 1);
        try (Session session = runtime.session(graph())) {
            Map<String, Tensor> feeds = new HashMap<>();
            for (String name : List.of("query", "key", "value")) {
                feeds.put(name, floats(session, name, conversations, tokens, HEADS * SIZE));
            }
            for (String name : List.of("past_key", "past_value")) {
                feeds.put(name, floats(session, name, conversations, HEADS, PAST, SIZE));
            }
            long[] last = new long[conversations];
            java.util.Arrays.fill(last, PAST + tokens - 1);
            feeds.put("last", longs(session, "last", last, conversations));
            feeds.put("total", longs(session, "total", new long[] {PAST + tokens}));
            Tensor out = floats(session, "out", conversations, tokens, HEADS * SIZE);
            session.run(feeds, Map.of("out", out));
        } finally {
            tensors.values().forEach(HostTensor::close);
            tensors.clear();
        }
    }

    private Tensor floats(Session session, String name, long... shape) {
        long count = java.util.Arrays.stream(shape).reduce(1, Math::multiplyExact);
        HostTensor tensor = new HostTensor(session.host(), TensorType.FLOAT);
        tensors.put(name, tensor);
        return tensor.of(new float[(int) count], shape);
    }

    private Tensor longs(Session session, String name, long[] values, long... shape) {
        HostTensor tensor = new HostTensor(session.host(), TensorType.INT64);
        tensors.put(name, tensor);
        return tensor.of(values, shape);
    }

    private static byte[] graph() {
        OnnxGraph graph = new OnnxGraph("");
        Object[] states = {"s", "w", HEADS * SIZE};
        Object[] caches = {"s", HEADS, "c", SIZE};
        String query = graph.input("query", TensorType.FLOAT, states);
        String key = graph.input("key", TensorType.FLOAT, states);
        String value = graph.input("value", TensorType.FLOAT, states);
        String pastKey = graph.input("past_key", TensorType.FLOAT, caches);
        String pastValue = graph.input("past_value", TensorType.FLOAT, caches);
        String last = int32(graph, graph.input("last", TensorType.INT64, "s"));
        String total = int32(graph, graph.input("total", TensorType.INT64));
        List<String> outputs =
                graph.nodes(
                        OnnxGraph.MICROSOFT,
                        "GroupQueryAttention",
                        Attributes.none().number("num_heads", HEADS).number("kv_num_heads", HEADS),
                        3,
                        query,
                        key,
                        value,
                        pastKey,
                        pastValue,
                        last,
                        total);
        graph.output(outputs.get(0), "out", TensorType.FLOAT, states);
        return graph.toBytes(Map.of());
    }

    private static String int32(OnnxGraph graph, String value) {
        return graph.node("Cast", Attributes.none().number("to", 6), value);
    }
}
