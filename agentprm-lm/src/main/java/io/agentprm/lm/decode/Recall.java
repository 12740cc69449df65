package io.agentprm.lm.decode;

/**
 * What a token recalls: the id that stood before it where it came up first, or -1 where it is new
 * (or came up at the very start).
 */
public final class Recall {
    public static final int NOTHING = -1;

    private Recall() {}

    /** Recalled by a token that follows the first {@code count} of a sequence. */
    public static int of(int[] sequence, int count, int token) {
        int first = first(sequence, count, token);
        return first > 0 ? sequence[first - 1] : NOTHING;
    }

    /** Recalled by a token that follows a prompt, not empty, and the first tokens of a reply. */
    public static int of(int[] prompt, int[] reply, int count, int token) {
        if (first(prompt, prompt.length, token) >= 0) {
            return of(prompt, prompt.length, token);
        }
        return first(reply, count, token) == 0
                ? prompt[prompt.length - 1]
                : of(reply, count, token);
    }

    private static int first(int[] sequence, int count, int token) {
        for (int i = 0; i < count; i++) {
            if (sequence[i] == token) {
                return i;
            }
        }
        return -1;
    }
}
