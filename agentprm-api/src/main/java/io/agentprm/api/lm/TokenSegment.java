package io.agentprm.api.lm;

import io.agentprm.api.Experimental;
import java.util.Arrays;

/**
 * A run of tokens with what is wanted of it: log-probabilities of the supervised tokens and scores
 * at the marks. Masks are arrays of their own, never recovered from token values. Immutable.
 */
@Experimental(since = "1.0")
public final class TokenSegment {
    private static final int[] NONE = {};

    private final int[] tokens;
    private final boolean[] supervised;
    private final int[] marks;
    private final int supervisedCount;

    private TokenSegment(int[] tokens, boolean[] supervised, int[] marks) {
        if (supervised.length != tokens.length) {
            throw new IllegalArgumentException(
                    tokens.length + " tokens but a mask of " + supervised.length);
        }
        int count = 0;
        for (boolean b : supervised) {
            count += b ? 1 : 0;
        }
        int last = -1;
        for (int mark : marks) {
            if (mark <= last || mark >= tokens.length) {
                throw new IllegalArgumentException(
                        "marks must ascend within [0, "
                                + tokens.length
                                + "), were "
                                + Arrays.toString(marks));
            }
            last = mark;
        }
        this.tokens = tokens;
        this.supervised = supervised;
        this.marks = marks;
        this.supervisedCount = count;
    }

    /** Context only: nothing is wanted of it. */
    public static TokenSegment context(int... tokens) {
        return new TokenSegment(tokens.clone(), new boolean[tokens.length], NONE);
    }

    /** Every token's log-probability is wanted. */
    public static TokenSegment supervised(int... tokens) {
        boolean[] all = new boolean[tokens.length];
        Arrays.fill(all, true);
        return new TokenSegment(tokens.clone(), all, NONE);
    }

    /** The score after the last token is wanted. */
    public static TokenSegment scored(int... tokens) {
        return new TokenSegment(
                tokens.clone(), new boolean[tokens.length], new int[] {tokens.length - 1});
    }

    /**
     * Makes a segment.
     *
     * @param supervised per token, whether its log-probability given everything before it is
     *     wanted; same length as tokens. The very first token of a row has none, so it must not be
     *     supervised there
     * @param marks ascending positions within the segment at which the score head is read
     */
    public static TokenSegment of(int[] tokens, boolean[] supervised, int[] marks) {
        return new TokenSegment(tokens.clone(), supervised.clone(), marks.clone());
    }

    public int length() {
        return tokens.length;
    }

    /** The token ids; a copy. */
    public int[] tokens() {
        return tokens.clone();
    }

    public int token(int position) {
        return tokens[position];
    }

    public boolean isSupervised(int position) {
        return supervised[position];
    }

    /** Number of supervised tokens: the length of the log-probability output. */
    public int supervisedCount() {
        return supervisedCount;
    }

    /** Number of marks: the length of the score output. */
    public int markCount() {
        return marks.length;
    }

    public int mark(int index) {
        return marks[index];
    }
}
