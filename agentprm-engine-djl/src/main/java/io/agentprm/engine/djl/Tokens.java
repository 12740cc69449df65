package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;

/** Rows of new tokens with their predecessors, positions and recalled ids, as kernels take them. */
final class Tokens {
    private final int rows;
    private final int width;
    private final long[] at;
    private int positions;

    /** Rows of padding. */
    Tokens(int rows, int width) {
        this.rows = rows;
        this.width = width;
        this.at = new long[4 * rows * width];
    }

    /** Fills a row with the tokens of a sequence from a position on. */
    void put(int row, int[] sequence, int from) {
        for (int t = 0; t < sequence.length - from; t++) {
            int before = from + t > 0 ? sequence[from + t - 1] : -1;
            int recalled = Recall.of(sequence, from + t, sequence[from + t]);
            put(row, t, sequence[from + t], before, recalled, from + t);
        }
    }

    /**
     * Sets one token; {@code before} is the preceding id or -1, {@code recalled} as {@link Recall}.
     */
    void put(int row, int column, int token, int before, int recalled, int position) {
        int size = rows * width;
        int place = row * width + column;
        at[place] = token;
        at[size + place] = before;
        at[2 * size + place] = position;
        at[3 * size + place] = recalled;
        positions = Math.max(positions, position + 1);
    }

    /** Largest position plus one. */
    int positions() {
        return positions;
    }

    NDArray at(NDManager manager) {
        return manager.create(at, new Shape(4, rows, width));
    }
}
