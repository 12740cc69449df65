package io.agentprm.engine.djl;

import io.agentprm.api.AgentPrmException;

/** Failure of the DJL PyTorch engine. */
public class DjlEngineException extends AgentPrmException {
    private static final long serialVersionUID = 1L;

    public DjlEngineException(String message) {
        super(message);
    }

    public DjlEngineException(String message, Throwable cause) {
        super(message, cause);
    }
}
