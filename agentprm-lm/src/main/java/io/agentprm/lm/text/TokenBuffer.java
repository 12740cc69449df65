package io.agentprm.lm.text;

import java.util.Arrays;

/** A growing sequence of token ids. */
final class TokenBuffer {
    private int[] ids = new int[256];
    private int size;

    void add(int... more) {
        if (size + more.length > ids.length) {
            ids = Arrays.copyOf(ids, Math.max(2 * ids.length, size + more.length));
        }
        System.arraycopy(more, 0, ids, size, more.length);
        size += more.length;
    }

    int size() {
        return size;
    }

    int[] toArray() {
        return Arrays.copyOf(ids, size);
    }
}
