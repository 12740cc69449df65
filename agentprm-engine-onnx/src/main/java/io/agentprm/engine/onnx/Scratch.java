package io.agentprm.engine.onnx;

import com.sun.jna.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;

/**
 * Native memory for the small inputs of a pass, used again by the next one: buffers of their own
 * would wait for the garbage collector.
 */
final class Scratch implements AutoCloseable {
    private static final int ALIGNMENT = 64;

    private Memory memory = new Memory(1 << 16);
    private long used;

    /**
     * Starts anew; what was handed out is lost.
     *
     * @param values of all buffers to come, of at most 8 bytes each
     * @param buffers number of buffers to come
     */
    void reset(long values, int buffers) {
        long needed = values * Long.BYTES + (long) buffers * ALIGNMENT;
        if (needed > memory.size()) {
            memory.close();
            memory = new Memory(needed + needed / 2);
        }
        used = 0;
    }

    private ByteBuffer take(long bytes) {
        ByteBuffer out =
                memory.getByteBuffer(used, Math.max(1, bytes)).order(ByteOrder.nativeOrder());
        used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        return out.limit((int) bytes);
    }

    LongBuffer of(long... values) {
        return take((long) values.length * Long.BYTES).asLongBuffer().put(values).flip();
    }

    FloatBuffer of(float[] values) {
        return take((long) values.length * Float.BYTES).asFloatBuffer().put(values).flip();
    }

    @Override
    public void close() {
        memory.close();
    }
}
