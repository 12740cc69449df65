package io.agentprm.engine.onnx;

import io.agentprm.lm.decode.Conversations;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * The caches that a pass attends to: a range of slots, in place where the batch fills most of it,
 * otherwise a copy.
 */
final class Window implements AutoCloseable {
    private final KeyValueMemory all;
    private final KeyValueMemory shown;
    private final int[] slots;
    private final int first;
    private final int count;

    private Window(KeyValueMemory all, KeyValueMemory shown, int[] slots, int first, int count) {
        this.all = all;
        this.shown = shown;
        this.slots = slots;
        this.first = first;
        this.count = count;
    }

    /**
     * A window over some slots; good until the memory changes its size.
     *
     * @param chosen slots in any order, perhaps repeated
     */
    static Window of(KeyValueMemory memory, int... chosen) {
        int[] slots = Arrays.stream(chosen).sorted().distinct().toArray();
        int least = slots[0];
        int most = slots[slots.length - 1];
        if (Conversations.neighbours(least, most, slots.length)) {
            return new Window(memory, memory, slots, least, most - least + 1);
        }
        KeyValueMemory copy = memory.another();
        copy.resize(slots.length, memory.columns());
        for (int i = 0; i < slots.length; i++) {
            copy.take(memory, slots[i], i, memory.columns());
        }
        return new Window(memory, copy, slots, 0, slots.length);
    }

    private boolean inPlace() {
        return shown == all;
    }

    /** Number of a slot's sequence. */
    int sequence(int slot) {
        return inPlace() ? slot - first : Arrays.binarySearch(slots, slot);
    }

    int sequences() {
        return count;
    }

    int kvHeads() {
        return shown.kvHeads();
    }

    int columns() {
        return shown.columns();
    }

    /** Whether the memory still has the size that it had. */
    boolean good() {
        return shown.columns() == all.columns();
    }

    /** Keys or values of a layer, [sequences, kv heads, columns, head size]. */
    FloatBuffer view(int plane) {
        return shown.view(plane, first, count);
    }

    /** As {@link KeyValueMemory#write}. */
    void write(int plane, int slot, int column, float[] values, int start, int stride, int tokens) {
        all.write(plane, slot, column, values, start, stride, tokens);
        if (!inPlace()) {
            shown.write(plane, sequence(slot), column, values, start, stride, tokens);
        }
    }

    @Override
    public void close() {
        if (!inPlace()) {
            shown.close();
        }
    }
}
