package io.agentprm.api;

/**
 * Root of every exception that AgentPRM throws. Messages state what is wrong, where, and what to
 * do.
 */
@Stable(since = "1.0")
public class AgentPrmException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public AgentPrmException(String message) {
        super(message);
    }

    public AgentPrmException(String message, Throwable cause) {
        super(message, cause);
    }
}
