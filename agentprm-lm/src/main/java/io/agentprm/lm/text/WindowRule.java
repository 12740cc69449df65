package io.agentprm.lm.text;

import io.agentprm.lm.LanguageModelException;
import java.util.Locale;
import java.util.function.IntUnaryOperator;

/**
 * Where segments begin. A segment grows turn by turn until the next state and its longest reply
 * would overflow the context. Then a new one begins: the task, and as many of the latest turns as
 * fit into half of the context (at least the current observation), so that the segment can grow
 * again. The rule looks only at the past, so a state is rendered the same way at every later time.
 *
 * @param contextLength tokens of a sequence, at most
 * @param replyReserve tokens kept free for a reply with its end of turn
 */
record WindowRule(int contextLength, int replyReserve) {

    /**
     * For each state the first turn of its segment.
     *
     * @param states number of states
     * @param head tokens of a segment's start when it begins with turn t
     * @param turn tokens of turn t's observation within a segment
     * @param reply tokens of the reply to state t; asked for all but the last state
     */
    int[] starts(int states, IntUnaryOperator head, IntUnaryOperator turn, IntUnaryOperator reply) {
        int[] starts = new int[states];
        int start = 0;
        int length = 0;
        for (int t = 0; t < states; t++) {
            length =
                    t == start
                            ? head.applyAsInt(t)
                            : length + reply.applyAsInt(t - 1) + turn.applyAsInt(t);
            if (length + replyReserve > contextLength) {
                int latest = 0;
                int best = t;
                int bestLength = head.applyAsInt(t);
                for (int s = t - 1; s > start; s--) {
                    latest += reply.applyAsInt(s) + turn.applyAsInt(s + 1);
                    int candidate = head.applyAsInt(s) + latest;
                    if (candidate + replyReserve > contextLength / 2) {
                        break;
                    }
                    best = s;
                    bestLength = candidate;
                }
                start = best;
                length = bestLength;
                requireFit(t, length);
            }
            starts[t] = start;
        }
        return starts;
    }

    private void requireFit(int turn, int length) {
        if (length + replyReserve > contextLength) {
            throw new LanguageModelException(
                    String.format(
                            Locale.ROOT,
                            "Task and observation of turn %d take %d tokens; with the %d kept for"
                                    + " the reply they exceed the context of %d. Use a model with a"
                                    + " longer context, shorter replies, or a rewrite that shortens"
                                    + " observations",
                            turn,
                            length,
                            replyReserve,
                            contextLength));
        }
    }
}
