package io.agentprm.lm.tokenizer;

import java.util.Arrays;

/** A growing array of ints. */
final class IntList {
    private int[] values;
    private int size;

    IntList(int capacity) {
        values = new int[capacity];
    }

    void addAll(int[] more) {
        if (size + more.length > values.length) {
            values = Arrays.copyOf(values, Math.max(2 * values.length, size + more.length));
        }
        System.arraycopy(more, 0, values, size, more.length);
        size += more.length;
    }

    int[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
