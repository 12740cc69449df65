package io.agentprm.testkit;

import io.agentprm.api.AgentPrmException;

/** Misuse of a fake or of the tabular model in a test. */
public class TestkitException extends AgentPrmException {
    private static final long serialVersionUID = 1L;

    public TestkitException(String message) {
        super(message);
    }

    public TestkitException(String message, Throwable cause) {
        super(message, cause);
    }
}
