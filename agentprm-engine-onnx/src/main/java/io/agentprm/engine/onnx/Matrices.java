package io.agentprm.engine.onnx;

import io.agentprm.engine.onnx.OnnxGraph.Attributes;
import io.agentprm.lm.checkpoint.TensorShape;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/** Products with weight matrices, and rows of embeddings, in the number format of a model. */
final class Matrices {
    /** Of MatMulNBits: the other factor is rounded to 8 bits too, block by block. */
    private static final int WHOLE_NUMBER_PRODUCTS = 4;

    private static final int EMBEDDING_BITS = 8;

    private final OnnxGraph graph;
    private final Precision precision;

    Matrices(OnnxGraph graph, Precision precision) {
        this.graph = graph;
        this.precision = precision;
    }

    /**
     * y = x Wᵀ.
     *
     * @param x [.., columns]
     * @param values of W, row-major [rows, columns], as checkpoints have it
     * @return y [.., rows]
     */
    String product(String x, String name, int rows, int columns, Supplier<float[]> values) {
        return switch (precision) {
            case F32 -> exact(x, name, rows, columns, values);
            case INT8 -> rounded(x, name, rows, columns, 8, values);
            case INT4 -> rounded(x, name, rows, columns, 4, values);
        };
    }

    /** As {@link #product}, for a head, which takes 8 bits at least. */
    String head(String x, String name, int rows, int columns, Supplier<float[]> values) {
        return precision == Precision.F32
                ? exact(x, name, rows, columns, values)
                : rounded(x, name, rows, columns, 8, values);
    }

    private String exact(String x, String name, int rows, int columns, Supplier<float[]> values) {
        String weight =
                graph.floats(
                        name,
                        TensorShape.of(columns, rows),
                        () -> transposed(values.get(), rows, columns));
        return graph.node("MatMul", Attributes.none(), x, weight);
    }

    private static float[] transposed(float[] matrix, int rows, int columns) {
        float[] out = new float[matrix.length];
        for (int r = 0; r < rows; r++) {
            for (int c = 0; c < columns; c++) {
                out[c * rows + r] = matrix[r * columns + c];
            }
        }
        return out;
    }

    private String rounded(
            String x, String name, int rows, int columns, int bits, Supplier<float[]> values) {
        int perRow = Blocks.perRow(columns);
        Supplier<Blocks> blocks = () -> Blocks.of(values.get(), rows, columns, bits);
        String numbers =
                graph.weight(
                        new Weight(
                                name + ".blocks",
                                TensorType.UINT8,
                                TensorShape.of(rows, perRow, Blocks.SIZE * bits / Byte.SIZE),
                                () -> blocks.get().valueBytes()));
        String scales =
                graph.floats(
                        name + ".scales",
                        TensorShape.of((long) rows * perRow),
                        () -> blocks.get().scales());
        return graph.runtimeNode(
                "MatMulNBits",
                Attributes.none()
                        .number("K", columns)
                        .number("N", rows)
                        .number("bits", bits)
                        .number("block_size", Blocks.SIZE)
                        .number("accuracy_level", WHOLE_NUMBER_PRODUCTS),
                x,
                numbers,
                scales);
    }

    /**
     * A table of embeddings, to be looked up.
     *
     * @param values of the table, row-major [rows, columns]
     */
    Table table(String name, int rows, int columns, Supplier<float[]> values) {
        if (precision == Precision.F32) {
            String weight = graph.floats(name, TensorShape.of(rows, columns), values);
            return ids -> graph.node("Gather", Attributes.none(), weight, ids);
        }
        String numbers =
                graph.weight(
                        new Weight(
                                name + ".rounded",
                                TensorType.INT8,
                                TensorShape.of(rows, columns),
                                () -> roundedRows(values.get(), rows, columns)));
        String scales =
                graph.floats(
                        name + ".scales",
                        TensorShape.of(rows, 1),
                        () -> rowScales(values.get(), rows, columns));
        return ids -> {
            String row = graph.node("Gather", Attributes.none(), numbers, ids);
            String scale = graph.node("Gather", Attributes.none(), scales, ids);
            String real = graph.node("Cast", Attributes.none().number("to", 1), row);
            return graph.node("Mul", Attributes.none(), real, scale);
        };
    }

    /** Rows of a table by their numbers. */
    interface Table {
        /**
         * @param ids whole numbers of any shape
         * @return [shape of ids, columns]
         */
        String rows(String ids);
    }

    private static float[] rowScales(float[] table, int rows, int columns) {
        int most = (1 << EMBEDDING_BITS - 1) - 1;
        float[] scales = new float[rows];
        for (int i = 0; i < rows * columns; i++) {
            int row = i / columns;
            scales[row] = Math.max(scales[row], Math.abs(table[i]) / most);
        }
        return scales;
    }

    private static ByteBuffer roundedRows(float[] table, int rows, int columns) {
        float[] scales = rowScales(table, rows, columns);
        byte[] out = new byte[table.length];
        for (int i = 0; i < out.length; i++) {
            float scale = scales[i / columns];
            out[i] = (byte) (scale == 0 ? 0 : Math.round(table[i] / scale));
        }
        return ByteBuffer.wrap(out);
    }
}
