package io.agentprm.lm.checkpoint;

import io.agentprm.lm.LanguageModelException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Set;

/**
 * Named tensors on disk, mapped into memory one at a time, from one file or from several shards.
 * Safe for use by many threads. Buffers that were handed out stay valid after {@link #close()}.
 */
public interface Tensors extends AutoCloseable {

    /** All names, in alphabetical order. */
    Set<String> names();

    /**
     * @throws LanguageModelException if there is no such tensor
     */
    TensorShape shape(String name);

    /**
     * @throws LanguageModelException if there is no such tensor
     */
    ElementType elementType(String name);

    /**
     * The stored bytes, read-only and little-endian, mapped and not copied.
     *
     * @throws LanguageModelException if there is no such tensor, or it has 2 GiB or more
     */
    ByteBuffer bytes(String name);

    /**
     * The values as floats, row-major: for F32 a view of the mapped file without a copy, for BF16
     * and F16 a converted copy (exact).
     *
     * @throws LanguageModelException if there is no such tensor, or it holds no such floats
     */
    default FloatBuffer floats(String name) {
        ByteBuffer bytes = bytes(name);
        ElementType type = elementType(name);
        if (type == ElementType.F32) {
            return bytes.asFloatBuffer();
        }
        if (!type.isFloat()) {
            throw new LanguageModelException(
                    "Tensor " + name + " holds " + type + "; F32, BF16 and F16 can be read");
        }
        float[] out = new float[bytes.remaining() / 2];
        type.putFloats(bytes, FloatBuffer.wrap(out));
        return FloatBuffer.wrap(out);
    }

    /**
     * Copies a piece of the values as floats, row-major: as many as {@code target} has room for.
     *
     * @param from number of the first value
     * @throws LanguageModelException if there is no such tensor, or it holds no such floats, or not
     *     so many of them
     */
    default void read(String name, long from, FloatBuffer target) {
        target.put(floats(name).slice(Math.toIntExact(from), target.remaining()));
    }

    /** A copy of the values of {@link #floats(String)}. */
    default float[] toArray(String name) {
        FloatBuffer values = floats(name);
        if (values.hasArray()) {
            return values.array();
        }
        float[] out = new float[values.remaining()];
        values.get(out);
        return out;
    }

    @Override
    void close();
}
