package io.agentprm.lm.text;

import io.agentprm.lm.LanguageModelException;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * Where segments begin. A segment grows turn by turn until the next state and its longest reply
 * would overflow the context. Then a new one begins: the task, and as many of the latest turns as
 * fit into half of the context (at least the current observation), so that the segment can grow
 * again. A segment also begins where the template writes anew what came before. The rule looks only
 * at the past, so a state is rendered the same way at every later time.
 *
 * @param contextLength tokens of a sequence, at most
 * @param replyReserve tokens kept free for a reply with its end of turn
 */
record WindowRule(int contextLength, int replyReserve) {
    /**
     * The segment that a state is in.
     *
     * @param from the first turn that it shows
     * @param first the first state in it
     */
    record Segment(int from, int first) {}

    /** What the rule asks about an episode. */
    interface Lengths {
        /** Tokens of a state that is written anew, the turns since {@code from} in it. */
        int anew(int from, int state);

        /** Tokens that a state adds to the one before it; empty if that is not its beginning. */
        OptionalInt added(int from, int state);
    }

    /**
     * For each state its segment.
     *
     * @param states number of states
     */
    Segment[] segments(int states, Lengths lengths) {
        Segment[] segments = new Segment[states];
        int from = 0;
        int first = 0;
        int length = 0;
        for (int t = 0; t < states; t++) {
            OptionalInt added = t == 0 ? OptionalInt.empty() : lengths.added(from, t);
            if (added.isPresent()) {
                length += added.getAsInt();
            } else {
                first = t;
                length = lengths.anew(from, t);
            }
            if (length + replyReserve > contextLength) {
                from = latest(from, t, lengths);
                first = t;
                length = lengths.anew(from, t);
                requireFit(t, length);
            }
            segments[t] = new Segment(from, first);
        }
        return segments;
    }

    /** The first of the latest turns that fit into half of the context. */
    private int latest(int after, int state, Lengths lengths) {
        int from = state;
        while (from - 1 > after
                && lengths.anew(from - 1, state) + replyReserve <= contextLength / 2) {
            from--;
        }
        return from;
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
