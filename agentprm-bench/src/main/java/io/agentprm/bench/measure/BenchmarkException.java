package io.agentprm.bench.measure;

import io.agentprm.api.AgentPrmException;

/** A measurement could not be made. */
public class BenchmarkException extends AgentPrmException {
    private static final long serialVersionUID = 1L;

    /** With a message that says what to do. */
    public BenchmarkException(String message) {
        super(message);
    }

    /** With a message that says what to do, and what went wrong below. */
    public BenchmarkException(String message, Throwable cause) {
        super(message, cause);
    }
}
