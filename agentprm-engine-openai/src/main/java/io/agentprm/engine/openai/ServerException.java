package io.agentprm.engine.openai;

import io.agentprm.api.AgentPrmException;

/** A server that cannot be reached, answers wrongly, or cannot do what is asked of it. */
public class ServerException extends AgentPrmException {
    private static final long serialVersionUID = 1L;

    public ServerException(String message) {
        super(message);
    }

    public ServerException(String message, Throwable cause) {
        super(message, cause);
    }
}
