package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.agentprm.lm.decode.Row;
import java.util.Arrays;
import java.util.List;

/** Keys and values of the tokens that the rows of a batch have of their own. */
final class OwnTokens {
    private static final int STEP = 8;

    private final Decoder decoder;
    private final NDManager manager;
    private NDArray array;
    private int rows;
    private int filled;
    private int capacity;

    OwnTokens(Decoder decoder, NDManager manager) {
        this.decoder = decoder;
        this.manager = manager;
    }

    /** Makes an entry for each row, with what its parent had, and room for more columns. */
    NDArray prepare(List<Row> next, int more) {
        boolean same = next.size() == rows;
        for (int r = 0; r < next.size() && same; r++) {
            same = next.get(r).parent() == r;
        }
        if (array != null && same && filled + more <= capacity) {
            return array;
        }
        capacity = Math.max(capacity, (filled + more + STEP - 1) / STEP * STEP);
        NDArray old = array;
        if (filled == 0) {
            array =
                    decoder.script()
                            .call(manager, "own", false, decoder.example(), next.size(), capacity);
        } else {
            long[] parents = next.stream().mapToLong(Row::parent).toArray();
            try (NDArray chosen = manager.create(parents, new Shape(parents.length))) {
                array =
                        decoder.script()
                                .call(manager, "forked", false, old, chosen, filled, capacity);
            }
        }
        if (old != null) {
            old.close();
        }
        rows = next.size();
        return array;
    }

    NDArray array() {
        return array;
    }

    /** Columns in use. */
    int filled() {
        return filled;
    }

    void filled(int columns) {
        filled = columns;
    }

    /**
     * Mask over the columns, [rows, 1, 1, 1, filled + width]: a row's own and the new ones; {@code
     * width} new columns of which a row uses its first.
     */
    NDArray shown(NDManager owner, List<Row> current, int width) {
        int columns = filled + width;
        float[] mask = new float[current.size() * columns];
        Arrays.fill(mask, Float.NEGATIVE_INFINITY);
        for (int r = 0; r < current.size(); r++) {
            int start = r * columns;
            for (int column : current.get(r).columns()) {
                mask[start + column] = 0;
            }
            int pending = current.get(r).pending();
            Arrays.fill(mask, start + filled, start + filled + pending, 0);
        }
        return Decoder.create(owner, mask, current.size(), 1, 1, 1, columns);
    }
}
