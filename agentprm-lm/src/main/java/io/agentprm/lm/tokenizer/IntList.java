package io.agentprm.lm.tokenizer;

import java.util.Arrays;

/** A growing array of ints. */
final class IntList {
    private int[] values;
    private int size;

    IntList(int capacity) {
        values = new int[capacity];
    }

    void add(int value) {
        reserve(1);
        values[size++] = value;
    }

    void addAll(int[] more) {
        reserve(more.length);
        System.arraycopy(more, 0, values, size, more.length);
        size += more.length;
    }

    int get(int index) {
        return values[index];
    }

    void set(int index, int value) {
        values[index] = value;
    }

    int size() {
        return size;
    }

    int[] toArray() {
        return Arrays.copyOf(values, size);
    }

    private void reserve(int more) {
        if (size + more > values.length) {
            values = Arrays.copyOf(values, Math.max(2 * values.length, size + more));
        }
    }
}
