package io.agentprm.engine.onnx;

import com.sun.jna.Pointer;

/** A tensor of ONNX Runtime. */
record Tensor(CApi api, Pointer value) implements AutoCloseable {
    @Override
    public void close() {
        api.release(CApi.Call.RELEASE_VALUE, value);
    }
}
