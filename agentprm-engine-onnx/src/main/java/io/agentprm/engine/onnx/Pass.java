package io.agentprm.engine.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * New tokens of several sequences that go through the network together: how they lie in places and
 * in the columns of their sequences' caches, and which columns each sees. A sequence may have
 * several stretches, which do not see each other unless they say so: candidates behind one prompt,
 * branches of a tree.
 */
final class Pass {
    /** Added to the scores of what must not be seen; its exponential is 0 beside any other. */
    private static final float HIDDEN = -1e30f;

    /**
     * Tokens that follow each other in places and columns: each sees the ones before it and itself.
     *
     * @param sequence number of the sequence
     * @param prefix leading columns that all of them see
     * @param columns further columns that all of them see
     * @param column of the first one
     * @param length number of tokens
     * @param first place of the first one
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Stretch(
            int sequence, int prefix, int[] columns, int column, int length, int first) {}

    private final List<Stretch> stretches = new ArrayList<>();
    private final int[] filled;
    private int tokens;

    /**
     * @param sequences number of sequences, with or without new tokens
     */
    Pass(int sequences) {
        filled = new int[sequences];
    }

    /**
     * Adds tokens that follow each other.
     *
     * @param prefix leading columns of the sequence's cache that all of them see
     * @param columns further columns that all of them see
     * @param column of the first one; the others' follow
     * @param length number of tokens
     */
    void add(int sequence, int prefix, int[] columns, int column, int length) {
        stretches.add(new Stretch(sequence, prefix, columns, column, length, filled[sequence]));
        filled[sequence] += length;
        tokens += length;
    }

    /** New tokens that a sequence has so far. */
    int length(int sequence) {
        return filled[sequence];
    }

    int sequences() {
        return filled.length;
    }

    /** Number of new tokens. */
    int tokens() {
        return tokens;
    }

    /** Places of each sequence: the most new tokens that one has. */
    int width() {
        return Math.max(1, Arrays.stream(filled).max().orElse(1));
    }

    /** Number of the token at each place, [sequences, width]; 0 where there is none. */
    long[] tokensByPlace() {
        long[] out = new long[filled.length * width()];
        long[] places = places();
        for (int i = 0; i < places.length; i++) {
            out[(int) places[i]] = i;
        }
        return out;
    }

    /** Place of each token. */
    long[] places() {
        long[] out = new long[tokens];
        int width = width();
        int at = 0;
        for (Stretch s : stretches) {
            for (int t = 0; t < s.length(); t++) {
                out[at++] = (long) s.sequence() * width + s.first() + t;
            }
        }
        return out;
    }

    /**
     * Rows of a cache [sequences, heads, columns] that belong to each token, [tokens, heads].
     *
     * @param columns of the cache
     */
    long[] rows(int heads, int columns) {
        long[] out = new long[tokens * heads];
        int at = 0;
        for (Stretch s : stretches) {
            for (int t = 0; t < s.length(); t++) {
                for (int head = 0; head < heads; head++) {
                    long row = (long) s.sequence() * heads + head;
                    out[at++] = row * columns + s.column() + t;
                }
            }
        }
        return out;
    }

    /**
     * What is added to scores, [sequences, 1, 1, width, columns].
     *
     * @param columns of the cache
     */
    float[] mask(int columns) {
        int width = width();
        float[] mask = new float[Math.multiplyExact(filled.length * width, columns)];
        Arrays.fill(mask, HIDDEN);
        for (Stretch s : stretches) {
            for (int t = 0; t < s.length(); t++) {
                int start = (s.sequence() * width + s.first() + t) * columns;
                Arrays.fill(mask, start, start + s.prefix(), 0);
                for (int column : s.columns()) {
                    mask[start + column] = 0;
                }
                Arrays.fill(mask, start + s.column(), start + s.column() + t + 1, 0);
            }
        }
        return mask;
    }
}
