package io.agentprm.api.env;

import io.agentprm.api.Stable;
import java.util.Objects;

/**
 * How the environment took an action. Invalid actions are flagged here, never only in the
 * observation's text.
 */
@Stable(since = "1.0")
public sealed interface ActionFeedback {
    /** Executed as given. */
    record Valid() implements ActionFeedback {}

    /** Executed after a documented normalisation. */
    record Normalised(String rule, String executed) implements ActionFeedback {
        public Normalised {
            Objects.requireNonNull(rule, "rule");
            Objects.requireNonNull(executed, "executed");
        }
    }

    /** Not executed; the turn still counts where the environment counts it. */
    record Invalid(String reason) implements ActionFeedback {
        public Invalid {
            Objects.requireNonNull(reason, "reason");
        }
    }

    default boolean valid() {
        return !(this instanceof Invalid);
    }
}
