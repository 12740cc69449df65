package io.agentprm.lm.checkpoint;

import java.nio.FloatBuffer;

/**
 * The values of a tensor, given piece by piece, so that whoever writes a large one holds little of
 * it.
 */
@FunctionalInterface
public interface TensorValues {

    /**
     * Copies a piece, row-major: as many values as {@code target} has room for.
     *
     * @param from number of the first value
     */
    void read(long from, FloatBuffer target);

    /** Those of an array. */
    static TensorValues of(float[] values) {
        return (from, target) -> target.put(values, Math.toIntExact(from), target.remaining());
    }

    /** Those of the tensor of that name, converted to float; {@code tensors} must stay open. */
    static TensorValues from(Tensors tensors, String name) {
        return (from, target) -> tensors.read(name, from, target);
    }
}
