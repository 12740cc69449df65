package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import io.agentprm.lm.checkpoint.Tensors;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Fills the engine's tensors from a checkpoint piece by piece, in place: loading takes hardly more
 * memory than the weights as they are held, and next to nothing of the heap.
 */
final class WeightLoader {
    private static final int PIECE = 4 << 20;

    private final Tensors checkpoint;
    private final WeightLayout layout;

    WeightLoader(Tensors checkpoint, WeightLayout layout) {
        this.checkpoint = checkpoint;
        this.layout = layout;
    }

    /** A new tensor with its values, owned by the manager. */
    NDArray load(NDManager manager, WeightLayout.Tensor tensor) {
        NDArray target = manager.create(new Shape(tensor.shape()), DataType.FLOAT32);
        long row = 0;
        for (WeightLayout.Part part : tensor.parts()) {
            fill(manager, target, part, row);
            row += part.rows();
        }
        return target;
    }

    private void fill(NDManager manager, NDArray target, WeightLayout.Part part, long firstRow) {
        int rows = (int) Math.min(part.rows(), layout.whole(part, PIECE / part.width()));
        ByteBuffer read = buffer(rows * part.width());
        ByteBuffer ordered = part.rotary() ? buffer(rows * part.width()) : read;
        for (long row = 0; row < part.rows(); row += rows) {
            int count = (int) Math.min(rows, part.rows() - row);
            int bytes = count * part.width() * Float.BYTES;
            checkpoint.read(
                    part.spec().name(), row * part.width(), read.limit(bytes).asFloatBuffer());
            if (part.rotary()) {
                layout.pair(read, ordered, count, part.width() * Float.BYTES);
            }
            long[] shape = target.getShape().getShape().clone();
            shape[0] = count;
            try (NDArray piece =
                    manager.create(ordered.limit(bytes), new Shape(shape), DataType.FLOAT32)) {
                target.set(new NDIndex("{}:{}", firstRow + row, firstRow + row + count), piece);
            }
        }
    }

    private static ByteBuffer buffer(int values) {
        return ByteBuffer.allocateDirect(values * Float.BYTES).order(ByteOrder.nativeOrder());
    }
}
