package io.agentprm.api.lm;

import io.agentprm.api.Experimental;

/** Which tokens may come next in a reply, as an automaton. Immutable and thread-safe. */
@Experimental(since = "1.0")
public interface TokenConstraint {
    /** State before the first token of the reply. */
    State start();

    /** A state of the automaton. */
    interface State {
        /**
         * Ids that may come next, ascending; never empty before the reply is complete. Not to be
         * changed.
         */
        int[] allowed();

        /** State after one of the allowed ids. */
        State next(int id);
    }
}
