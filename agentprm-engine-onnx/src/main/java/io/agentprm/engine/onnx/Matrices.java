package io.agentprm.engine.onnx;

import io.agentprm.engine.onnx.OnnxGraph.Attributes;
import io.agentprm.lm.checkpoint.HalfFloats;
import io.agentprm.lm.checkpoint.TensorShape;
import io.agentprm.lm.checkpoint.TensorValues;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Products with weight matrices, and rows of embeddings, in the number format of a model. */
final class Matrices {
    /** Of MatMulNBits: the other factor is rounded to 8 bits too, block by block. */
    private static final int WHOLE_NUMBER_PRODUCTS = 4;

    private static final int EMBEDDING_BITS = 8;

    private final OnnxGraph graph;
    private final Precision precision;
    private final Order order;
    private final Map<String, String> matrices = new HashMap<>();

    Matrices(OnnxGraph graph, Precision precision, Order order) {
        this.graph = graph;
        this.precision = precision;
        this.order = order;
    }

    /**
     * y = x Wᵀ.
     *
     * @param x [tokens, columns]
     * @param values of W, row-major [rows, columns], as checkpoints have it
     * @return y, [tokens, rows]
     */
    String product(String x, String name, int rows, int columns, TensorValues values) {
        return rows(product(States.rows(x), name, rows, columns, values));
    }

    /** The same, with the result in the layout that it is computed in. */
    States product(States x, String name, int rows, int columns, TensorValues values) {
        return switch (precision) {
            case F32, F16 -> exact(x, name, rows, columns, values);
            case INT8 -> rounded(x, name, rows, columns, 8, values);
            case INT4 -> rounded(x, name, rows, columns, 4, values);
        };
    }

    /** As {@link #product}, for a head, which takes 8 bits at least. */
    String head(String x, String name, int rows, int columns, TensorValues values) {
        States states = States.rows(x);
        return rows(
                precision.wholeNumbers()
                        ? rounded(states, name, rows, columns, 8, values)
                        : exact(states, name, rows, columns, values));
    }

    /** States of a token in a row. */
    String rows(States states) {
        return states.byColumns() ? transposed(states.name()) : states.name();
    }

    private String transposed(String matrix) {
        return graph.node("Transpose", Attributes.none().numbers("perm", 1, 0), matrix);
    }

    private States exact(States x, String name, int rows, int columns, TensorValues values) {
        String weight = matrix(name, rows, columns, values);
        if (order == Order.WEIGHTS_FIRST) {
            Attributes attributes = Attributes.none().number("transB", x.byColumns() ? 0 : 1);
            return new States(graph.node("Gemm", attributes, weight, x.name()), true);
        }
        Attributes attributes = Attributes.none().number("transB", 1);
        return States.rows(graph.node("Gemm", attributes, rows(x), weight));
    }

    /** A matrix as checkpoints have it, which head and embeddings may share. */
    private String matrix(String name, int rows, int columns, TensorValues values) {
        return matrices.computeIfAbsent(
                name,
                k -> {
                    TensorShape shape = TensorShape.of(rows, columns);
                    if (precision == Precision.F32) {
                        return graph.floats(name, shape, values);
                    }
                    Weight halves =
                            Weight.matrix(
                                    name,
                                    TensorType.FLOAT16,
                                    shape,
                                    rows,
                                    columns,
                                    values,
                                    (row, out) -> putHalves(name, row, out));
                    return floats(graph.weight(halves));
                });
    }

    /** Numbers of another type as floats. */
    private String floats(String numbers) {
        int type = TensorType.FLOAT.number();
        return graph.node("Cast", Attributes.none().number("to", type), numbers);
    }

    private static void putHalves(String name, float[] row, ByteBuffer out) {
        for (float value : row) {
            out.putShort(half(name, value));
        }
    }

    private static short half(String name, float value) {
        short half = HalfFloats.toFloat16(value);
        if (Float.isFinite(value) && !Float.isFinite(HalfFloats.fromFloat16(half))) {
            throw new OnnxEngineException(
                    "tensor "
                            + name
                            + ": "
                            + value
                            + " is too large for a half-precision number, of which 65504 is the"
                            + " largest. Take precision f32, int8 or int4");
        }
        return half;
    }

    private States rounded(
            States x, String name, int rows, int columns, int bits, TensorValues values) {
        int perRow = Blocks.perRow(columns);
        Weight numbers =
                Weight.matrix(
                        name + ".blocks",
                        TensorType.UINT8,
                        TensorShape.of(rows, perRow, Blocks.SIZE * bits / Byte.SIZE),
                        rows,
                        columns,
                        values,
                        (row, out) -> out.put(Blocks.of(row, 1, columns, bits).values()));
        Weight scales =
                Weight.matrix(
                        name + ".block_scales",
                        TensorType.FLOAT,
                        TensorShape.of((long) rows * perRow),
                        rows,
                        columns,
                        values,
                        (row, out) ->
                                Weight.putFloats(Blocks.of(row, 1, columns, bits).scales(), out));
        Attributes attributes =
                Attributes.none()
                        .number("K", columns)
                        .number("N", rows)
                        .number("bits", bits)
                        .number("block_size", Blocks.SIZE)
                        .number("accuracy_level", WHOLE_NUMBER_PRODUCTS);
        return States.rows(
                graph.runtimeNode(
                        "MatMulNBits",
                        attributes,
                        rows(x),
                        graph.weight(numbers),
                        graph.weight(scales)));
    }

    /**
     * A table of embeddings, to be looked up.
     *
     * @param values of the table, row-major [rows, columns]
     */
    Table table(String name, int rows, int columns, TensorValues values) {
        if (!precision.wholeNumbers()) {
            String weight = matrix(name, rows, columns, values);
            return ids -> graph.node("Gather", Attributes.none(), weight, ids);
        }
        String numbers =
                graph.weight(
                        Weight.matrix(
                                name + ".rounded",
                                TensorType.INT8,
                                TensorShape.of(rows, columns),
                                rows,
                                columns,
                                values,
                                Matrices::putRounded));
        String scales =
                graph.weight(
                        Weight.matrix(
                                name + ".row_scales",
                                TensorType.FLOAT,
                                TensorShape.of(rows, 1),
                                rows,
                                columns,
                                values,
                                (row, out) -> out.putFloat(scale(row))));
        return ids -> {
            String chosen = graph.node("Gather", Attributes.none(), numbers, ids);
            String scale = graph.node("Gather", Attributes.none(), scales, ids);
            return graph.node("Mul", Attributes.none(), floats(chosen), scale);
        };
    }

    private static void putRounded(float[] row, ByteBuffer out) {
        float scale = scale(row);
        for (float value : row) {
            out.put((byte) (scale == 0 ? 0 : Math.round(value / scale)));
        }
    }

    /** Rows of a table by their numbers. */
    interface Table {
        /**
         * @param ids whole numbers of any shape
         * @return [shape of ids, columns]
         */
        String rows(String ids);
    }

    /** The step between the whole numbers of a row of embeddings. */
    private static float scale(float[] row) {
        float scale = 0;
        for (float value : row) {
            scale = Math.max(scale, Math.abs(value) / ((1 << EMBEDDING_BITS - 1) - 1));
        }
        return scale;
    }
}
