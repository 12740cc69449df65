package io.agentprm.api.env;

import io.agentprm.api.Stable;
import java.util.Objects;

/**
 * How an episode ended. Only a terminated one has an outcome; a truncated one is bootstrapped from
 * its final observation; an aborted one never becomes a label.
 */
@Stable(since = "1.0")
public sealed interface EpisodeEnd {
    /** Why an episode terminated. */
    enum Reason {
        /** The goal was reached. */
        GOAL,
        /** The task ended without reaching its goal. */
        FAILURE,
        /** A step limit that is part of the task; never bootstrapped. */
        STEP_LIMIT
    }

    /**
     * The task itself ended.
     *
     * @param outcome outcome reward in [0, 1]; 0 for a failure
     */
    record Terminated(Reason reason, double outcome, boolean success) implements EpisodeEnd {
        public Terminated {
            Objects.requireNonNull(reason, "reason");
            if (!(outcome >= 0 && outcome <= 1)) {
                throw new IllegalArgumentException("outcome must lie in [0, 1], was " + outcome);
            }
        }
    }

    /** Cut from outside by a budget. */
    record Truncated(String cause) implements EpisodeEnd {
        public Truncated {
            Objects.requireNonNull(cause, "cause");
        }
    }

    /** A deadline or a failure. */
    record Aborted(String cause) implements EpisodeEnd {
        public Aborted {
            Objects.requireNonNull(cause, "cause");
        }
    }
}
