package io.agentprm.lm.decode;

import io.agentprm.lm.checkpoint.ModelConfig;

/**
 * What a token recalls: the id that stood before it where it came up first, or {@link #NOTHING}
 * where it is new (or came up at the very start).
 *
 * @param until a token from which on nothing is remembered, or a negative number
 */
public record Recall(int until) {
    public static final int NOTHING = -1;

    /** As a model was trained. */
    public static Recall of(ModelConfig config) {
        return new Recall(config.recallUntil().orElse(NOTHING));
    }

    /** Recalled by a token that follows the first {@code count} of a sequence. */
    public int of(int[] sequence, int count, int token) {
        int first = first(sequence, remembered(sequence, count), token);
        return first > 0 ? sequence[first - 1] : NOTHING;
    }

    /** Recalled by a token that follows a prompt, not empty, and the first tokens of a reply. */
    public int of(int[] prompt, int[] reply, int count, int token) {
        int remembered = remembered(prompt, prompt.length);
        if (remembered < prompt.length || first(prompt, remembered, token) >= 0) {
            return of(prompt, prompt.length, token);
        }
        return first(reply, remembered(reply, count), token) == 0
                ? prompt[prompt.length - 1]
                : of(reply, count, token);
    }

    /** Number of tokens before the one that ends what is remembered. */
    private int remembered(int[] sequence, int count) {
        int end = until < 0 ? -1 : first(sequence, count, until);
        return end < 0 ? count : end;
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
