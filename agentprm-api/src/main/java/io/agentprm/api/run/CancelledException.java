package io.agentprm.api.run;

import io.agentprm.api.AgentPrmException;
import io.agentprm.api.Stable;

/**
 * Work ended at a safe point because a stop was requested; nothing is damaged and the run can be
 * continued.
 */
@Stable(since = "1.0")
public final class CancelledException extends AgentPrmException {
    private static final long serialVersionUID = 1L;

    public CancelledException(String message) {
        super(message);
    }
}
