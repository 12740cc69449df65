package org.example.corridor;

import io.agentprm.api.AgentPrmException;

/** Something is asked of the corridor that it does not do. */
public final class CorridorException extends AgentPrmException {
    private static final long serialVersionUID = 1L;

    CorridorException(String message) {
        super(message);
    }
}
