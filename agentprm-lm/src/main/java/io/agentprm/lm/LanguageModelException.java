package io.agentprm.lm;

import io.agentprm.api.AgentPrmException;

/** Unreadable checkpoint, tokenizer or rendering. */
public class LanguageModelException extends AgentPrmException {
    private static final long serialVersionUID = 1L;

    public LanguageModelException(String message) {
        super(message);
    }

    public LanguageModelException(String message, Throwable cause) {
        super(message, cause);
    }
}
