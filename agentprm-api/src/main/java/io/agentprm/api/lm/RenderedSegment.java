package io.agentprm.api.lm;

import io.agentprm.api.Experimental;
import java.util.List;

/**
 * A stretch of a trajectory as one token sequence.
 *
 * @param tokens token ids; not to be changed
 * @param replies where the replies of its turns lie, in order
 */
@Experimental(since = "1.0")
public record RenderedSegment(int[] tokens, List<Reply> replies) {
    /**
     * A reply's place.
     *
     * @param turn number of the turn in its trajectory
     * @param start position of its first token
     * @param end position after its last token (the end of turn)
     */
    public record Reply(int turn, int start, int end) {}

    public RenderedSegment {
        replies = List.copyOf(replies);
    }
}
