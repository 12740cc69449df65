package io.agentprm.lm.checkpoint;

import java.nio.FloatBuffer;
import java.util.function.Supplier;

/**
 * A tensor to be written. The values are asked for when their turn comes, so that a writer holds
 * one tensor at a time.
 *
 * @param name its name in the file
 * @param shape its dimensions
 * @param values gives the values, row-major, from the buffer's position to its limit
 */
public record TensorData(String name, TensorShape shape, Supplier<FloatBuffer> values) {

    public static TensorData of(String name, TensorShape shape, float[] values) {
        return new TensorData(name, shape, () -> FloatBuffer.wrap(values));
    }

    /** The tensor of that name in {@code tensors}, converted to float. */
    public static TensorData from(Tensors tensors, String name) {
        return new TensorData(name, tensors.shape(name), () -> tensors.floats(name));
    }
}
