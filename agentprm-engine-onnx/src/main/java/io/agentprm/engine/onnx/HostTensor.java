package io.agentprm.engine.onnx;

import com.sun.jna.Memory;
import java.util.Arrays;

/**
 * A tensor that Java writes or reads, over memory of its own, which the next one of its name takes
 * over: buffers of their own would wait for the garbage collector.
 */
final class HostTensor implements AutoCloseable {
    private final Device host;
    private final TensorType type;
    private Memory memory = new Memory(1 << 10);
    private long[] shape = {};
    private Tensor tensor;
    private float[] read = {};

    HostTensor(Device host, TensorType type) {
        this.host = host;
        this.type = type;
        this.tensor = host.tensor(memory, type);
    }

    /** The tensor, in a shape. */
    Tensor shaped(long... wanted) {
        if (!Arrays.equals(wanted, shape)) {
            tensor.close();
            long bytes = type.bytes() * Arrays.stream(wanted).reduce(1, Math::multiplyExact);
            if (bytes > memory.size()) {
                memory.close();
                memory = new Memory(bytes + bytes / 2);
            }
            shape = wanted;
            tensor = host.tensor(memory, type, wanted);
        }
        return tensor;
    }

    Tensor of(long[] values, long... wanted) {
        Tensor out = shaped(wanted);
        memory.write(0, values, 0, values.length);
        return out;
    }

    Tensor of(float[] values, long... wanted) {
        Tensor out = shaped(wanted);
        memory.write(0, values, 0, values.length);
        return out;
    }

    /** The values; good until they are asked for again. */
    float[] floats() {
        int length = (int) Arrays.stream(shape).reduce(1, Math::multiplyExact);
        if (read.length != length) {
            read = new float[length];
        }
        memory.read(0, read, 0, length);
        return read;
    }

    @Override
    public void close() {
        tensor.close();
        memory.close();
    }
}
