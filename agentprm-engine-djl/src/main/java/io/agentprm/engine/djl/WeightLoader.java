package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import io.agentprm.lm.checkpoint.Tensors;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Fills the engine's tensors from a checkpoint piece by piece, in place: loading takes hardly more
 * memory than the weights as they are held, and next to nothing of the heap.
 */
final class WeightLoader implements AutoCloseable {
    /** Values at a time. Freed native memory stays with the process, so few of them. */
    private static final int PIECE = 1 << 18;

    /** DJL makes no bfloat16 tensors. */
    private static final String SOURCE =
            """
              def half(self, like: Tensor, shape: List[int]) -> Tensor:
                return torch.new_empty(like, shape, dtype=15)
              def single(self, like: Tensor, shape: List[int]) -> Tensor:
                return torch.new_empty(like, shape)
              def put(self, target: Tensor, piece: Tensor, row: int) -> None:
                _0 = torch.copy_(torch.slice(target, 0, row, torch.add(row, torch.size(piece, 0))), piece)
                return None
            """;

    private final Tensors checkpoint;
    private final WeightLayout layout;
    private final Precision held;
    private Optional<Script> script = Optional.empty();
    private ByteBuffer read = ByteBuffer.allocateDirect(0);
    private ByteBuffer paired = ByteBuffer.allocateDirect(0);

    /**
     * @param held format of the large tensors; the others are float32
     */
    WeightLoader(Tensors checkpoint, WeightLayout layout, Precision held) {
        this.checkpoint = checkpoint;
        this.layout = layout;
        this.held = held;
    }

    /** A new tensor with its values, owned by the manager. */
    NDArray load(NDManager manager, WeightLayout.Tensor tensor) {
        boolean half = held == Precision.BF16 && tensor.isLarge();
        try (NDManager local = manager.newSubManager()) {
            NDArray target =
                    script(manager)
                            .call(
                                    manager,
                                    half ? "half" : "single",
                                    true,
                                    local.create(new Shape(1), DataType.FLOAT32),
                                    tensor.shape());
            fill(target, tensor, "");
            return target;
        }
    }

    /**
     * Overwrites a tensor.
     *
     * @param prefix what stands before the names of its parts in the checkpoint
     */
    void fill(NDArray target, WeightLayout.Tensor tensor, String prefix) {
        try (NDManager local = target.getManager().newSubManager()) {
            long row = 0;
            for (WeightLayout.Part part : tensor.parts()) {
                fill(local, target, part, prefix + part.spec().name(), row);
                row += part.rows();
            }
        }
    }

    private Script script(NDManager manager) {
        if (script.isEmpty()) {
            script = Optional.of(Script.load(manager, ScriptArchive.of(SOURCE)));
        }
        return script.get();
    }

    private void fill(
            NDManager local, NDArray target, WeightLayout.Part part, String name, long firstRow) {
        int rows = (int) Math.min(part.rows(), layout.whole(part, PIECE / part.width()));
        read = room(read, rows * part.width());
        paired = part.rotary() ? room(paired, rows * part.width()) : paired;
        ByteBuffer ordered = part.rotary() ? paired : read;
        for (long row = 0; row < part.rows(); row += rows) {
            int count = (int) Math.min(rows, part.rows() - row);
            int bytes = count * part.width() * Float.BYTES;
            checkpoint.read(name, row * part.width(), read.limit(bytes).asFloatBuffer());
            if (part.rotary()) {
                layout.pair(read, ordered, count, part.width() * Float.BYTES);
            }
            long[] shape = part.spec().shape().toArray();
            shape[0] = count;
            try (NDArray piece =
                    local.create(ordered.limit(bytes), new Shape(shape), DataType.FLOAT32)) {
                script(target.getManager()).run("put", target, piece, firstRow + row);
            }
        }
    }

    /** The buffer, or a larger one; one for all tensors, since only collections free them. */
    private static ByteBuffer room(ByteBuffer buffer, int values) {
        int bytes = values * Float.BYTES;
        return buffer.capacity() >= bytes
                ? buffer.clear()
                : ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    @Override
    public void close() {
        script.ifPresent(Script::close);
    }
}
