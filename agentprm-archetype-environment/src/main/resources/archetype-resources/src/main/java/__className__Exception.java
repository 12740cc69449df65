package ${package};

import io.agentprm.api.AgentPrmException;

/** Something is asked of the environment that it does not do. */
public final class ${className}Exception extends AgentPrmException {
    private static final long serialVersionUID = 1L;

    ${className}Exception(String message) {
        super(message);
    }
}
