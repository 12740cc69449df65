package io.agentprm.lm.gguf;

import io.agentprm.lm.checkpoint.TensorShape;
import io.agentprm.lm.checkpoint.TensorValues;
import java.util.function.LongUnaryOperator;

/**
 * A tensor to be written, row by row.
 *
 * @param name its name in the file
 * @param shape its dimensions, outermost first; the last one is the length of a row
 * @param rowOrder which row of the values is written in the place of a row
 * @param values gives the values, row-major
 */
record GgufTensor(
        String name,
        TensorShape shape,
        WeightFormat format,
        LongUnaryOperator rowOrder,
        TensorValues values) {

    int columns() {
        return Math.toIntExact(shape.dim(shape.rank() - 1));
    }

    long rows() {
        return shape.elements() / columns();
    }

    /** Length in the file, without what is filled up behind it. */
    long bytes() {
        return format.bytes(shape.elements());
    }
}
