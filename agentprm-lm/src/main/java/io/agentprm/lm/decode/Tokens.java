package io.agentprm.lm.decode;

/**
 * Rows of new tokens with their two predecessors, positions and recalled ids, as kernels take them.
 */
public final class Tokens {
    private static final int NONE = -1;
    private static final int PLANES = 5;

    private final Recall recall;
    private final int rows;
    private final int width;
    private final long[] at;
    private int positions;

    /** Rows of padding. */
    public Tokens(int rows, int width, Recall recall) {
        this.recall = recall;
        this.rows = rows;
        this.width = width;
        this.at = new long[PLANES * rows * width];
    }

    /** Fills a row, from a column on, with the tokens of a sequence from a position on. */
    public void put(int row, int column, int[] sequence, int from) {
        for (int t = 0; t < sequence.length - from; t++) {
            int p = from + t;
            int before = p > 0 ? sequence[p - 1] : NONE;
            int second = p > 1 ? sequence[p - 2] : NONE;
            set(
                    row,
                    column + t,
                    sequence[p],
                    p,
                    before,
                    second,
                    recall.of(sequence, p, sequence[p]));
        }
    }

    /** Sets a token, number {@code n} of a reply to a prompt that is not empty. */
    public void put(int row, int column, int[] prompt, int[] reply, int n) {
        int p = prompt.length + n;
        int before = n > 0 ? reply[n - 1] : prompt[p - 1];
        int second = n > 1 ? reply[n - 2] : p > 1 ? prompt[p - 2] : NONE;
        set(row, column, reply[n], p, before, second, recall.of(prompt, reply, n, reply[n]));
    }

    private void set(
            int row, int column, int token, int position, int before, int second, int recalled) {
        int size = rows * width;
        int place = row * width + column;
        at[place] = token;
        at[size + place] = before;
        at[2 * size + place] = position;
        at[3 * size + place] = recalled;
        at[4 * size + place] = second;
        positions = Math.max(positions, position + 1);
    }

    /** Largest position plus one. */
    public int positions() {
        return positions;
    }

    /** Ids, preceding ids, positions, recalled ids, ids before the preceding: [5, rows, width]. */
    public long[] planes() {
        return at;
    }

    /** Dimensions of {@link #planes}. */
    public long[] shape() {
        return new long[] {PLANES, rows, width};
    }
}
