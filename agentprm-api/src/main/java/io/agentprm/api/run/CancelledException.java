package io.agentprm.api.run;

import io.agentprm.api.AgentPrmException;

/**
 * Work ended at a safe point because a stop was requested; nothing is damaged and the run can be
 * continued.
 */
public final class CancelledException extends AgentPrmException {
    private static final long serialVersionUID = 1L;

    public CancelledException(String message) {
        super(message);
    }
}
