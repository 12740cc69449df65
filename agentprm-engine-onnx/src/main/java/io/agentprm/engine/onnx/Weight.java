package io.agentprm.engine.onnx;

import io.agentprm.lm.checkpoint.TensorShape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Supplier;

/**
 * A large constant of a graph, kept beside it.
 *
 * @param values gives the elements, row-major and little-endian, when their turn comes, so that one
 *     tensor at a time is in memory
 */
record Weight(String name, TensorType type, TensorShape shape, Supplier<ByteBuffer> values) {
    static Weight floats(String name, TensorShape shape, Supplier<float[]> values) {
        return new Weight(name, TensorType.FLOAT, shape, () -> bytes(values.get()));
    }

    /** Length of the values in bytes. */
    long length() {
        return shape.elements() * type.bytes();
    }

    private static ByteBuffer bytes(float[] values) {
        ByteBuffer out =
                ByteBuffer.allocate(Math.multiplyExact(values.length, Float.BYTES))
                        .order(ByteOrder.LITTLE_ENDIAN);
        out.asFloatBuffer().put(values);
        return out;
    }
}
