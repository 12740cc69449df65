package io.agentprm.engine.onnx;

import com.sun.jna.Pointer;
import io.agentprm.lm.decode.Conversations;
import java.util.Arrays;

/**
 * The caches that passes read and write: a range of slots, in place where the batch fills most of
 * it and most of its columns; otherwise a copy, which is written back on closing.
 */
final class Window implements Caches, AutoCloseable {
    private final KeyValueMemory all;
    private final KeyValueMemory shown;
    private final int[] slots;
    private final int first;
    private final int count;
    private final int columns;

    private Window(KeyValueMemory all, KeyValueMemory shown, int[] slots, int first, int count) {
        this.all = all;
        this.shown = shown;
        this.slots = slots;
        this.first = first;
        this.count = count;
        this.columns = shown.columns();
    }

    /**
     * A window over all columns of some slots; good until the memory changes its size.
     *
     * @param chosen slots in any order, perhaps repeated
     */
    static Window of(KeyValueMemory memory, int... chosen) {
        return of(memory, memory.columns(), memory.columns(), chosen);
    }

    /**
     * A window over the leading columns of some slots; good until the memory changes its size.
     *
     * @param held most leading columns of one of them that hold something
     * @param needed leading columns that are read or written
     * @param chosen slots in any order, perhaps repeated
     */
    static Window of(KeyValueMemory memory, int held, int needed, int... chosen) {
        int[] slots = Arrays.stream(chosen).sorted().distinct().toArray();
        int least = slots[0];
        int most = slots[slots.length - 1];
        boolean narrow = held == 0 && needed < memory.columns();
        if (!narrow && Conversations.neighbours(least, most, slots.length)) {
            return new Window(memory, memory, slots, least, most - least + 1);
        }
        KeyValueMemory copy = memory.another(slots.length, narrow ? needed : memory.columns());
        for (int i = 0; i < slots.length; i++) {
            if (narrow) {
                copy.blank(i);
            } else {
                copy.take(memory, slots[i], i, memory.columns());
            }
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

    @Override
    public int sequences() {
        return count;
    }

    @Override
    public int columns() {
        return columns;
    }

    /** Whether the memory still has the size that it had. */
    boolean good() {
        return columns == all.columns();
    }

    @Override
    public Pointer address(int plane) {
        return shown.address(plane, first);
    }

    @Override
    public void close() {
        if (!inPlace()) {
            for (int i = 0; i < slots.length; i++) {
                all.take(shown, i, slots[i], columns);
            }
            shown.close();
        }
    }
}
