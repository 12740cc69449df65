package io.agentprm.env.alfworld;

import io.agentprm.api.AgentPrmException;

/** Unreadable game, unknown construct or wrong data directory. */
public class AlfworldException extends AgentPrmException {
    private static final long serialVersionUID = 1L;

    public AlfworldException(String message) {
        super(message);
    }

    public AlfworldException(String message, Throwable cause) {
        super(message, cause);
    }
}
