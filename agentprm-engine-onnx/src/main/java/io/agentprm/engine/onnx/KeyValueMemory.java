package io.agentprm.engine.onnx;

import com.sun.jna.Pointer;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.decode.CacheMemory;

/**
 * Keys and values of sequences by slot, where the network runs. A plane holds the keys or the
 * values of one layer, [slots, kv heads, columns, head size]; so the slots of a batch that are
 * neighbours are one tensor, which the network reads and writes where it lies. Outside of the heap,
 * and freed when it is closed or resized.
 */
final class KeyValueMemory implements CacheMemory, AutoCloseable {
    private final CacheMoves moves;
    private final int planes;
    private final int kvHeads;
    private final int headDim;
    private CachePlanes all;

    KeyValueMemory(ModelConfig config, CacheMoves moves) {
        this(moves, 2 * config.layers(), config.kvHeads(), config.headDim());
    }

    private KeyValueMemory(CacheMoves moves, int planes, int kvHeads, int headDim) {
        this.moves = moves;
        this.planes = planes;
        this.kvHeads = kvHeads;
        this.headDim = headDim;
        this.all = CachePlanes.none(planes, kvHeads, headDim);
    }

    /** One of the same model, of any content, which must be written before it is read. */
    KeyValueMemory another(int slots, int columns) {
        KeyValueMemory out = new KeyValueMemory(moves, planes, kvHeads, headDim);
        out.all = out.allocate(slots, columns);
        return out;
    }

    int columns() {
        return all.columns();
    }

    @Override
    public long bytesPerToken() {
        return (long) planes * kvHeads * headDim * Float.BYTES;
    }

    /**
     * Where a slot of a plane begins; good until the next change of size.
     *
     * @param plane 2 × layer for keys, one more for values
     */
    Pointer address(int plane, int slot) {
        return all.address(plane, slot);
    }

    /**
     * Takes the first columns of a slot of another memory of the same model; what the others hold
     * is lost.
     */
    void take(KeyValueMemory from, int source, int target, int columns) {
        moves.copy(from.all, source, all, target, columns);
    }

    @Override
    public void resize(int slots, int columns) {
        CachePlanes old = all;
        all = allocate(slots, columns);
        for (int slot = 0; slot < slots; slot++) {
            int kept = slot < old.slots() ? Math.min(old.columns(), columns) : 0;
            if (kept > 0) {
                moves.copy(old, slot, all, slot, kept);
            }
            moves.zero(all, slot, kept);
        }
        old.close();
    }

    private CachePlanes allocate(int slots, int columns) {
        return slots == 0
                ? CachePlanes.none(planes, kvHeads, headDim)
                : CachePlanes.of(moves.device(), planes, slots, kvHeads, columns, headDim);
    }

    @Override
    public void blank(int slot) {
        moves.zero(all, slot, 0);
    }

    @Override
    public void permute(int[] from, int[] to) {
        try (KeyValueMemory copy = another(from.length, columns())) {
            for (int i = 0; i < from.length; i++) {
                copy.take(this, from[i], i, columns());
            }
            for (int i = 0; i < to.length; i++) {
                take(copy, i, to[i], columns());
            }
        }
    }

    @Override
    public void pull(int[] slots, int[] from, int[] to) {
        moves.pull(all, slots, from, to);
    }

    @Override
    public void close() {
        resize(0, 0);
    }
}
