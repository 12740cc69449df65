package io.agentprm.engine.onnx;

import io.agentprm.lm.checkpoint.TensorShape;
import io.agentprm.lm.checkpoint.TensorValues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A graph in ONNX's format while it is put together. Values are known by their names; a node's
 * outputs are named after its operator and a counter. Field numbers are those of {@code
 * onnx.proto3}, IR version 8.
 */
final class OnnxGraph {
    /** Domain of ONNX Runtime's own operators. */
    static final String MICROSOFT = "com.microsoft";

    private static final int IR_VERSION = 8;
    private static final int OPSET = 17;
    private static final long ALIGNMENT = 64;

    private final ProtoWriter graph = new ProtoWriter();
    private final List<Weight> weights = new ArrayList<>();
    private final Map<String, Long> offsets = new LinkedHashMap<>();
    private final String dataFile;
    private int nodes;
    private int constants;
    private long end;

    /**
     * @param dataFile name of the file beside the model's that holds the weights
     */
    OnnxGraph(String dataFile) {
        this.dataFile = dataFile;
    }

    /** Attributes of a node. */
    static final class Attributes {
        private final List<ProtoWriter> all = new ArrayList<>();

        static Attributes none() {
            return new Attributes();
        }

        private Attributes add(String name, int type, ProtoWriter value) {
            all.add(value.text(1, name).number(20, type));
            return this;
        }

        Attributes number(String name, long value) {
            return add(name, 2, new ProtoWriter().number(3, value));
        }

        Attributes real(String name, double value) {
            return add(name, 1, new ProtoWriter().float32(2, (float) value));
        }

        Attributes numbers(String name, long... values) {
            ProtoWriter writer = new ProtoWriter();
            for (long value : values) {
                writer.number(8, value);
            }
            return add(name, 7, writer);
        }
    }

    /**
     * Adds an input of the graph.
     *
     * @param dims names of sizes that differ from call to call, or numbers
     */
    String input(String name, TensorType type, Object... dims) {
        graph.message(11, value(name, type, dims));
        return name;
    }

    /** Makes a value an output of the graph under a name of its own. */
    void output(String value, String name, TensorType type, Object... dims) {
        node("Identity", "", Attributes.none(), List.of(value), List.of(name));
        declareOutput(name, type, dims);
    }

    /** Makes a value an output of the graph under the name that it has. */
    void declareOutput(String name, TensorType type, Object... dims) {
        graph.message(12, value(name, type, dims));
    }

    private static ProtoWriter value(String name, TensorType type, Object... dims) {
        ProtoWriter shape = new ProtoWriter();
        for (Object dim : dims) {
            shape.message(
                    1,
                    dim instanceof Number number
                            ? new ProtoWriter().number(1, number.longValue())
                            : new ProtoWriter().text(2, dim.toString()));
        }
        ProtoWriter tensor = new ProtoWriter().number(1, type.number()).message(2, shape);
        return new ProtoWriter().text(1, name).message(2, new ProtoWriter().message(1, tensor));
    }

    /** Adds a node of ONNX with one output. */
    String node(String operator, Attributes attributes, String... inputs) {
        return nodes("", operator, attributes, 1, inputs).get(0);
    }

    /** Adds a node of ONNX Runtime with one output. */
    String runtimeNode(String operator, Attributes attributes, String... inputs) {
        return nodes(MICROSOFT, operator, attributes, 1, inputs).get(0);
    }

    /** Adds a node with several outputs, of which all are used. */
    List<String> nodes(
            String domain, String operator, Attributes attributes, int outputs, String... inputs) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < outputs; i++) {
            names.add(operator + "_" + nodes + (outputs > 1 ? "_" + i : ""));
        }
        node(operator, domain, attributes, List.of(inputs), names);
        return names;
    }

    /**
     * Adds a node.
     *
     * @param outputs their names; empty text for one that is not wanted
     */
    void node(
            String operator,
            String domain,
            Attributes attributes,
            List<String> inputs,
            List<String> outputs) {
        ProtoWriter node = new ProtoWriter();
        inputs.forEach(name -> node.text(1, name));
        outputs.forEach(name -> node.text(2, name));
        node.text(3, "node_" + nodes++).text(4, operator);
        attributes.all.forEach(attribute -> node.message(5, attribute));
        if (!domain.isEmpty()) {
            node.text(7, domain);
        }
        graph.message(1, node);
    }

    /** A small vector of whole numbers. */
    String constant(long... values) {
        ByteBuffer bytes =
                ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long value : values) {
            bytes.putLong(value);
        }
        String name = "constant_" + constants++;
        graph.message(
                5,
                new ProtoWriter()
                        .number(1, values.length)
                        .number(2, TensorType.INT64.number())
                        .text(8, name)
                        .bytes(9, bytes.array()));
        return name;
    }

    /** Adds a weight, whose values stay outside of the graph. */
    String weight(Weight weight) {
        ProtoWriter tensor = new ProtoWriter();
        for (long dim : weight.shape().toArray()) {
            tensor.number(1, dim);
        }
        tensor.number(2, weight.type().number()).text(8, weight.name());
        tensor.message(13, entry("location", dataFile))
                .message(13, entry("offset", Long.toString(end)))
                .message(13, entry("length", Long.toString(weight.length())))
                .number(14, 1);
        graph.message(5, tensor);
        offsets.put(weight.name(), end);
        weights.add(weight);
        end = (end + weight.length() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        return weight.name();
    }

    String floats(String name, TensorShape shape, TensorValues values) {
        return weight(Weight.floats(name, shape, values));
    }

    private static ProtoWriter entry(String key, String value) {
        return new ProtoWriter().text(1, key).text(2, value);
    }

    /** All weights, in the order of their places in the data file. */
    List<Weight> weights() {
        return List.copyOf(weights);
    }

    /** Where a weight's values begin in the data file, in bytes. */
    long offset(Weight weight) {
        return offsets.get(weight.name());
    }

    /** Length of the data file in bytes. */
    long dataLength() {
        return end;
    }

    /**
     * The model file.
     *
     * @param metadata kept in the file for whoever reads it
     */
    byte[] toBytes(Map<String, String> metadata) {
        ProtoWriter model = new ProtoWriter().number(1, IR_VERSION).text(2, "agentprm");
        model.message(7, graph.text(2, "decoder"));
        model.message(8, new ProtoWriter().text(1, "").number(2, OPSET));
        model.message(8, new ProtoWriter().text(1, MICROSOFT).number(2, 1));
        metadata.forEach((key, value) -> model.message(14, entry(key, value)));
        return model.toBytes();
    }
}
