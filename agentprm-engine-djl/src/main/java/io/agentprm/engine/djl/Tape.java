package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.IValue;
import ai.djl.pytorch.jni.JniUtils;
import java.util.List;

/**
 * The places where a recorded forward pass leaves autograd's graph, because a derivative is written
 * by hand ({@link Arithmetic}): kernels write them, and the way back reads them from the end.
 */
final class Tape implements AutoCloseable {
    private final IValue value = Script.list(List.of());

    /** A list that kernels append to. */
    IValue value() {
        return value;
    }

    /** Adds the gradient of {@code output · slope} to the weights' gradients. Once only. */
    void backward(Script script, NDArray output, NDArray slope) {
        JniUtils.backward((PtNDArray) output, (PtNDArray) slope, false, false);
        script.run("rewind", value);
    }

    @Override
    public void close() {
        value.close();
    }
}
