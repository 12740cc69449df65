package io.agentprm.lm.decode;

import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import java.util.Arrays;
import java.util.List;

/**
 * Token trees as the arrays that kernels take: each tree one row, trunk then branches, padded on
 * the right; positions continue from a branch's fork. Supervised tokens and marks are lists of
 * places in the flattened batch, in the order of rows, segments, positions.
 */
public final class PackedRows {
    private static final int IDS = 0;
    private static final int PREVIOUS = 1;
    private static final int POSITIONS = 2;
    private static final int RECALLED = 3;
    private static final int SECOND_PREVIOUS = 4;
    private static final int PLANES = 5;

    private final List<TokenTree> trees;
    private final int until;
    private final int rows;
    private final int length;
    private final long[] at;
    private final long[] tree;
    private final boolean branched;
    private final long[] targets;
    private final long[] marks;
    private int positions;

    private PackedRows(List<TokenTree> trees, Recall recall) {
        this.trees = List.copyOf(trees);
        this.until = recall.until();
        rows = trees.size();
        length = trees.stream().mapToInt(TokenTree::length).max().orElseThrow();
        branched = trees.stream().anyMatch(t -> t.segments().size() > 1);
        at = new long[PLANES * rows * length];
        tree = branched ? new long[2 * rows * length] : new long[0];
        int supervised = 0;
        int marked = 0;
        for (TokenTree t : trees) {
            for (TokenSegment s : t.segments()) {
                supervised += s.supervisedCount();
                marked += s.markCount();
            }
        }
        targets = new long[2 * supervised];
        marks = new long[marked];
        if (branched) {
            Arrays.fill(tree, 0, rows * length, -1);
        }
        Arrays.fill(at, rows * length, 2 * rows * length, -1);
        Arrays.fill(at, RECALLED * rows * length, PLANES * rows * length, Recall.NOTHING);
        new Filler().fill(trees);
    }

    public static PackedRows of(List<TokenTree> trees, Recall recall) {
        return new PackedRows(trees, recall);
    }

    /** Walks over the trees once. */
    private final class Filler {
        private int target;
        private int mark;

        void fill(List<TokenTree> trees) {
            for (int row = 0; row < rows; row++) {
                TokenTree t = trees.get(row);
                int start = row * length;
                int offset = start;
                for (int s = 0; s < t.segments().size(); s++) {
                    TokenSegment segment = t.segment(s);
                    int fork = t.fork(s);
                    for (int p = 0; p < segment.length(); p++) {
                        int before = p > 0 ? offset + p - 1 : start + fork - 1;
                        put(segment, p, offset + p, s > 0 || p > 0 ? before : -1);
                        int second = p > 1 ? offset + p - 2 : start + fork + p - 2;
                        if (second >= start) {
                            at[SECOND_PREVIOUS * rows * length + offset + p] = at[second];
                        }
                        at[POSITIONS * rows * length + offset + p] = fork + p;
                        at[RECALLED * rows * length + offset + p] =
                                s == 0
                                        ? recalled(start, p, start, 0, segment.token(p))
                                        : recalled(start, fork, offset, p, segment.token(p));
                        positions = Math.max(positions, fork + p + 1);
                        if (branched) {
                            tree[offset + p] = s;
                            tree[rows * length + offset + p] = fork;
                        }
                    }
                    for (int m = 0; m < segment.markCount(); m++) {
                        marks[mark++] = offset + segment.mark(m);
                    }
                    offset += segment.length();
                }
            }
        }

        /**
         * What a token recalls that follows {@code seen} tokens of its trunk and {@code count} of
         * its branch.
         */
        private long recalled(int start, int seen, int branch, int count, int token) {
            for (int i = start; i < start + seen; i++) {
                if (at[i] == until) {
                    return Recall.NOTHING;
                }
                if (at[i] == token) {
                    return i > start ? at[i - 1] : Recall.NOTHING;
                }
            }
            for (int i = branch; i < branch + count; i++) {
                if (at[i] == until) {
                    return Recall.NOTHING;
                }
                if (at[i] == token) {
                    return at[i > branch ? i - 1 : start + seen - 1];
                }
            }
            return Recall.NOTHING;
        }

        private void put(TokenSegment segment, int p, int place, int before) {
            at[IDS * rows * length + place] = segment.token(p);
            if (before >= 0) {
                at[PREVIOUS * rows * length + place] = at[before];
            }
            if (segment.isSupervised(p)) {
                targets[target] = before;
                targets[targets.length / 2 + target++] = segment.token(p);
            }
        }
    }

    /** What was packed, row by row. */
    public List<TokenTree> trees() {
        return trees;
    }

    /** Padded tokens. */
    public int size() {
        return rows * length;
    }

    /** Largest position plus one. */
    public int positions() {
        return positions;
    }

    public int targetCount() {
        return targets.length / 2;
    }

    public int markCount() {
        return marks.length;
    }

    /**
     * Ids, preceding ids, positions, recalled ids and ids before the preceding: [5, rows, length].
     */
    public long[] planes() {
        return at;
    }

    /** Dimensions of {@link #planes}. */
    public long[] shape() {
        return new long[] {PLANES, rows, length};
    }

    /** Segments and forks, [2, rows, length]; empty where no row has branches. */
    public long[] tree() {
        return tree;
    }

    /** Places before the supervised tokens, and these tokens' ids: [2, targets]. */
    public long[] targets() {
        return targets;
    }

    /** Places of the marks. */
    public long[] marks() {
        return marks;
    }
}
