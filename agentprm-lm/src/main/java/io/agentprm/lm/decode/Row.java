package io.agentprm.lm.decode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Samples of one conversation whose tokens are the same so far: computed once, until they draw
 * different tokens.
 */
public final class Row {
    private final int conversation;
    private final List<Sample> samples;
    private final int parent;
    private final int[] columns;

    private Row(int conversation, List<Sample> samples, int parent, int[] columns) {
        this.conversation = conversation;
        this.samples = samples;
        this.parent = parent;
        this.columns = columns;
    }

    /** Rows for samples that have drawn their first tokens. */
    public static List<Row> of(int conversation, List<Sample> samples) {
        return split(conversation, samples, 0, new int[0]);
    }

    /** Rows for the samples of this one, which have drawn on. */
    public List<Row> next(int number) {
        return split(conversation, samples, number, columns);
    }

    private static List<Row> split(
            int conversation, List<Sample> samples, int parent, int[] columns) {
        Map<Integer, List<Sample>> byToken = new LinkedHashMap<>();
        for (Sample sample : samples) {
            if (sample.length() > columns.length) {
                byToken.computeIfAbsent(sample.token(columns.length), k -> new ArrayList<>())
                        .add(sample);
            }
        }
        List<Row> rows = new ArrayList<>();
        for (List<Sample> same : byToken.values()) {
            rows.add(new Row(conversation, same, parent, columns));
        }
        return rows;
    }

    /** The same row after computing its pending tokens into columns from {@code start} on. */
    public Row computed(int number, int start) {
        int[] more = Arrays.copyOf(columns, columns.length + pending());
        for (int c = columns.length; c < more.length; c++) {
            more[c] = start + c - columns.length;
        }
        return new Row(conversation, samples, number, more);
    }

    public int conversation() {
        return conversation;
    }

    public List<Sample> samples() {
        return samples;
    }

    /** Any of the samples. */
    public Sample sample() {
        return samples.get(0);
    }

    /** Number of the row that this one comes from, in the batch before. */
    public int parent() {
        return parent;
    }

    /** Where the keys and values of the tokens computed so far are. */
    public int[] columns() {
        return columns;
    }

    /** Tokens to be computed: nothing follows the last token of a complete sample. */
    public int pending() {
        int wanted = sample().done() ? sample().length() - 1 : sample().length();
        return wanted - columns.length;
    }
}
