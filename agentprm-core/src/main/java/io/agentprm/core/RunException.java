package io.agentprm.core;

import io.agentprm.api.AgentPrmException;

/** Failure of discovery, configuration, collection or a run directory. */
public class RunException extends AgentPrmException {
    private static final long serialVersionUID = 1L;

    public RunException(String message) {
        super(message);
    }

    public RunException(String message, Throwable cause) {
        super(message, cause);
    }
}
