package io.agentprm.api.lm;

import io.agentprm.api.Experimental;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.State;
import io.agentprm.api.trajectory.Trajectory;
import java.util.List;

/**
 * The one way from states to tokens, used by rollouts, labels, training, evaluation and serving
 * alike. Append-only within a segment: the tokens of a state followed by its reply are a prefix of
 * the tokens of every later state of the segment.
 */
@Experimental(since = "1.0")
public interface StateRenderer {
    /** Tokens up to the point where the reply begins. */
    int[] state(State state);

    /**
     * Tokens of a reply with its end of turn: the sampled ids where known, else its text encoded.
     */
    int[] reply(Decision decision);

    /**
     * A whole trajectory in as few segments as the context and the prompt's template allow; every
     * turn's reply lies in exactly one.
     */
    List<RenderedSegment> trajectory(Trajectory trajectory);
}
