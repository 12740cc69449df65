package io.agentprm.api.lm;

import io.agentprm.api.Experimental;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A token tree with what a loss needs besides the model's outputs: named arrays per segment
 * (labels, behaviour, old and reference log-probabilities, advantages), and a group. Rows of one
 * group are never split over micro-batches. Immutable.
 */
@Experimental(since = "1.0")
public final class TrainingRow {
    /** Label of each mark, or of each supervised token. */
    public static final String LABEL = "label";

    /** Weight of each label; 1 where absent. */
    public static final String WEIGHT = "weight";

    /** Log-probabilities of the supervised tokens under the sampler. */
    public static final String BEHAVIOUR_LOG_PROB = "behaviour-log-prob";

    /** Log-probabilities of the supervised tokens under the model before this batch's updates. */
    public static final String OLD_LOG_PROB = "old-log-prob";

    /** Log-probabilities of the supervised tokens under the reference policy. */
    public static final String REFERENCE_LOG_PROB = "reference-log-prob";

    /** Advantage of each supervised token. */
    public static final String ADVANTAGE = "advantage";

    private record Key(String name, int segment) {}

    private final TokenTree tree;
    private final long group;
    private final Map<Key, double[]> values;

    private TrainingRow(TokenTree tree, long group, Map<Key, double[]> values) {
        this.tree = tree;
        this.group = group;
        this.values = values;
    }

    /** A row that forms a group of its own. */
    public static TrainingRow of(TokenTree tree) {
        return new TrainingRow(tree, -1, Map.of());
    }

    /** The same row with a named array for one of its segments. */
    public TrainingRow with(String name, int segment, double... array) {
        Map<Key, double[]> more = new LinkedHashMap<>(values);
        more.put(new Key(name, segment), array.clone());
        return new TrainingRow(tree, group, more);
    }

    /** The same row in a group that a loss ties together; number 0 or more. */
    public TrainingRow inGroup(long number) {
        return new TrainingRow(tree, number, values);
    }

    public TokenTree tree() {
        return tree;
    }

    /** Group number; negative if the row stands alone. */
    public long group() {
        return group;
    }

    public boolean has(String name, int segment) {
        return values.containsKey(new Key(name, segment));
    }

    /** The named array of a segment, not to be changed. */
    public double[] values(String name, int segment) {
        double[] array = values.get(new Key(name, segment));
        if (array == null) {
            throw new IllegalArgumentException(
                    "row has no '"
                            + name
                            + "' for segment "
                            + segment
                            + "; it has "
                            + values.keySet());
        }
        return array;
    }
}
