package io.agentprm.engine.onnx;

import com.sun.jna.Memory;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.decode.CacheMemory;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Keys and values of sequences by slot. A plane holds the keys or the values of one layer, [slots,
 * kv heads, columns, head size]; so the slots of a batch that are neighbours are one tensor, which
 * ONNX Runtime reads where it lies. Outside of the heap, and freed when it is closed or resized.
 */
final class KeyValueMemory implements CacheMemory, AutoCloseable {
    /** A block of native memory and its planes. */
    private record Block(Memory memory, List<FloatBuffer> planes, int slots, int columns) {
        static final Block NONE = new Block(null, List.of(), 0, 0);
    }

    private final int planes;
    private final int kvHeads;
    private final int headDim;
    private Block block = Block.NONE;

    KeyValueMemory(ModelConfig config) {
        this(2 * config.layers(), config.kvHeads(), config.headDim());
    }

    private KeyValueMemory(int planes, int kvHeads, int headDim) {
        this.planes = planes;
        this.kvHeads = kvHeads;
        this.headDim = headDim;
    }

    /** An empty one of the same model. */
    KeyValueMemory another() {
        return new KeyValueMemory(planes, kvHeads, headDim);
    }

    /** Number of planes: keys and values of each layer. */
    int planes() {
        return planes;
    }

    int kvHeads() {
        return kvHeads;
    }

    int columns() {
        return block.columns;
    }

    @Override
    public long bytesPerToken() {
        return (long) planes * kvHeads * headDim * Float.BYTES;
    }

    /**
     * A plane's neighbouring slots, [count, kv heads, columns, head size]; good until the next
     * change of size.
     *
     * @param plane 2 × layer for keys, one more for values
     */
    FloatBuffer view(int plane, int slot, int count) {
        int each = kvHeads * block.columns * headDim;
        return block.planes.get(plane).slice(slot * each, count * each);
    }

    private int place(int slot, int head, int column) {
        return ((slot * kvHeads + head) * block.columns + column) * headDim;
    }

    /**
     * Writes keys or values of tokens that follow each other.
     *
     * @param values in which those of a head lie behind each other
     * @param start of the first head's first one in the values
     * @param stride from head to head in the values
     * @param tokens number of tokens
     */
    void write(int plane, int slot, int column, float[] values, int start, int stride, int tokens) {
        FloatBuffer to = block.planes.get(plane);
        for (int head = 0; head < kvHeads; head++) {
            to.put(place(slot, head, column), values, start + head * stride, tokens * headDim);
        }
    }

    /** Takes the first columns of a slot of another memory of the same model. */
    void take(KeyValueMemory from, int source, int target, int columns) {
        take(from.block, source, target, columns);
    }

    private void take(Block from, int source, int target, int columns) {
        for (int plane = 0; plane < planes; plane++) {
            for (int head = 0; head < kvHeads; head++) {
                block.planes
                        .get(plane)
                        .put(
                                place(target, head, 0),
                                from.planes.get(plane),
                                (source * kvHeads + head) * from.columns * headDim,
                                columns * headDim);
            }
        }
    }

    @Override
    public void resize(int slots, int columns) {
        Block old = block;
        block = slots == 0 ? Block.NONE : allocate(slots, columns);
        for (int slot = 0; slot < Math.min(old.slots, slots); slot++) {
            take(old, slot, slot, Math.min(old.columns, columns));
        }
        if (old.memory != null) {
            old.memory.close();
        }
    }

    private Block allocate(int slots, int columns) {
        int floats = Math.multiplyExact(slots * kvHeads, columns * headDim);
        long bytes = (long) floats * Float.BYTES;
        Memory memory = new Memory(planes * bytes);
        memory.clear();
        List<FloatBuffer> all = new ArrayList<>();
        for (int plane = 0; plane < planes; plane++) {
            all.add(
                    memory.getByteBuffer(plane * bytes, bytes)
                            .order(ByteOrder.nativeOrder())
                            .asFloatBuffer());
        }
        return new Block(memory, all, slots, columns);
    }

    @Override
    public void blank(int slot) {
        float[] zeros = new float[kvHeads * block.columns * headDim];
        block.planes.forEach(plane -> plane.put(place(slot, 0, 0), zeros));
    }

    @Override
    public void permute(int[] from, int[] to) {
        try (KeyValueMemory copy = another()) {
            copy.resize(from.length, block.columns);
            for (int i = 0; i < from.length; i++) {
                copy.take(this, from[i], i, block.columns);
            }
            for (int i = 0; i < to.length; i++) {
                take(copy, i, to[i], block.columns);
            }
        }
    }

    @Override
    public void close() {
        resize(0, 0);
    }
}
