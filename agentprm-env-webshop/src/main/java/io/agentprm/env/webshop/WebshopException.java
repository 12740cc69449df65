package io.agentprm.env.webshop;

import io.agentprm.api.AgentPrmException;

/** Unreadable catalogue, wrong data directory, unknown task or a session used out of turn. */
public class WebshopException extends AgentPrmException {
    private static final long serialVersionUID = 1L;

    public WebshopException(String message) {
        super(message);
    }

    public WebshopException(String message, Throwable cause) {
        super(message, cause);
    }
}
