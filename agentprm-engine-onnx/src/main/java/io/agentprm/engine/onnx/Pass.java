package io.agentprm.engine.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * New tokens of several sequences that go through the network together: how they lie in places of
 * their sequences, and what each sees. A sequence may have several stretches, which do not see each
 * other unless they say so: candidates behind one prompt, branches of a tree.
 */
final class Pass {
    /** Added to the scores of what must not be seen; its exponential is 0 beside any other. */
    private static final float HIDDEN = -1e30f;

    private static final int[] NONE = {};

    /**
     * Tokens that follow each other: each sees the ones before it and itself.
     *
     * @param sequence number of the sequence
     * @param cached leading columns of the sequence's cache that all of them see
     * @param columns further columns that all of them see
     * @param trunk leading places of the sequence that all of them see
     * @param length number of tokens
     * @param first place of the first one
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Stretch(
            int sequence, int cached, int[] columns, int trunk, int length, int first) {}

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
     * Adds tokens that see columns of the cache.
     *
     * @return place of the first one in its sequence
     */
    int add(int sequence, int cached, int[] columns, int length) {
        return add(new Stretch(sequence, cached, columns, 0, length, filled[sequence]));
    }

    /** Adds a branch, which sees the first new tokens of its sequence; the trunk sees none. */
    void addBranch(int sequence, int trunk, int length) {
        add(new Stretch(sequence, 0, NONE, trunk, length, filled[sequence]));
    }

    private int add(Stretch stretch) {
        stretches.add(stretch);
        filled[stretch.sequence()] += stretch.length();
        tokens += stretch.length();
        return stretch.first();
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
     * What is added to scores, [sequences, 1, 1, width, columns + width].
     *
     * @param columns of the cache
     */
    float[] mask(int columns) {
        int width = width();
        int row = columns + width;
        float[] mask = new float[Math.multiplyExact(filled.length * width, row)];
        Arrays.fill(mask, HIDDEN);
        for (Stretch s : stretches) {
            for (int t = 0; t < s.length(); t++) {
                int start = (s.sequence() * width + s.first() + t) * row;
                Arrays.fill(mask, start, start + s.cached(), 0);
                for (int column : s.columns()) {
                    mask[start + column] = 0;
                }
                int news = start + columns;
                Arrays.fill(mask, news, news + s.trunk(), 0);
                Arrays.fill(mask, news + s.first(), news + s.first() + t + 1, 0);
            }
        }
        return mask;
    }
}
