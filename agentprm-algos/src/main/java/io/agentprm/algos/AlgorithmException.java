package io.agentprm.algos;

import io.agentprm.api.AgentPrmException;

/** Invalid input to an estimator, a loss or an optimiser. */
public class AlgorithmException extends AgentPrmException {
    private static final long serialVersionUID = 1L;

    public AlgorithmException(String message) {
        super(message);
    }

    public AlgorithmException(String message, Throwable cause) {
        super(message, cause);
    }
}
