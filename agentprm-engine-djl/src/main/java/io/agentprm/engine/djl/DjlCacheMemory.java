package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.decode.CacheMemory;

/**
 * Keys and values of all conversations in one array, so that a batch whose slots are neighbours is
 * attended to without any copy.
 */
final class DjlCacheMemory implements CacheMemory {
    private final Decoder decoder;
    private NDArray buffer;
    private int slots;
    private int columns;

    DjlCacheMemory(Decoder decoder) {
        this.decoder = decoder;
    }

    /** [layers, 2, slots, kv heads, columns, headDim]; good until the next {@link #resize}. */
    NDArray buffer() {
        return buffer;
    }

    @Override
    public long bytesPerToken() {
        ModelConfig c = decoder.config();
        return (long) c.layers() * 2 * c.kvHeads() * c.headDim() * Float.BYTES;
    }

    @Override
    public void resize(int newSlots, int newColumns) {
        NDArray old = buffer;
        buffer = newSlots == 0 ? null : zeros(newSlots, newColumns);
        if (old != null && buffer != null) {
            int kept = Math.min(slots, newSlots);
            int used = Math.min(columns, newColumns) - 1;
            decoder.script()
                    .call(decoder.manager(), "moved", false, old, buffer, kept, used)
                    .close();
        }
        if (old != null) {
            old.close();
        }
        slots = newSlots;
        columns = newColumns;
    }

    private NDArray zeros(int newSlots, int newColumns) {
        ModelConfig c = decoder.config();
        return decoder.manager()
                .zeros(new Shape(c.layers(), 2, newSlots, c.kvHeads(), newColumns, c.headDim()));
    }

    @Override
    public void blank(int slot) {
        decoder.script().call(decoder.manager(), "blank", false, buffer, slot).close();
    }

    @Override
    public void permute(int[] from, int[] to) {
        try (NDArray source = indices(from);
                NDArray target = indices(to)) {
            decoder.script()
                    .call(decoder.manager(), "permute_slots", false, buffer, source, target)
                    .close();
        }
    }

    @Override
    public void pull(int[] of, int[] from, int[] to) {
        long[] moves = new long[4 * of.length];
        for (int i = 0; i < of.length; i++) {
            moves[i] = of[i];
            moves[of.length + i] = from[i];
            moves[2 * of.length + i] = of[i];
            moves[3 * of.length + i] = to[i];
        }
        remember(decoder.manager(), buffer, moves);
    }

    /**
     * Copies keys and values into the buffer.
     *
     * @param source [layers, 2, rows, kv heads, columns, headDim]
     * @param moves rows, columns, slots, and columns in these, [4, tokens]
     */
    void remember(NDManager manager, NDArray source, long[] moves) {
        try (NDArray places = manager.create(moves, new Shape(4, moves.length / 4))) {
            decoder.script().call(manager, "remember", false, source, buffer, places).close();
        }
    }

    private NDArray indices(int[] slotNumbers) {
        long[] wide = new long[slotNumbers.length];
        for (int i = 0; i < wide.length; i++) {
            wide[i] = slotNumbers[i];
        }
        return decoder.manager().create(wide);
    }
}
