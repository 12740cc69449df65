package io.agentprm.engine.onnx;

import io.agentprm.api.AgentPrmException;

/** Something went wrong in ONNX Runtime, or a model is not what it runs. */
public class OnnxEngineException extends AgentPrmException {
    private static final long serialVersionUID = 1L;

    public OnnxEngineException(String message) {
        super(message);
    }

    public OnnxEngineException(String message, Throwable cause) {
        super(message, cause);
    }
}
