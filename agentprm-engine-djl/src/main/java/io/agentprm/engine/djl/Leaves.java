package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.IValue;
import ai.djl.pytorch.jni.JniUtils;
import java.util.List;
import java.util.Optional;

/**
 * A model's weights, in the same memory, as tensors whose gradients autograd accumulates. They are
 * made anew for each update, because the first gradient of a new tensor is taken over as it is: no
 * zeros are written before it, and nothing is added to them.
 */
final class Leaves implements AutoCloseable {
    private final NDManager manager;
    private final List<NDArray> tensors;
    private final IValue list;

    Leaves(Decoder decoder) {
        manager = decoder.manager().newSubManager();
        tensors = decoder.weights().stream().map(this::leaf).toList();
        list = Script.list(tensors);
    }

    private NDArray leaf(NDArray weight) {
        NDArray leaf = JniUtils.detachGradient((PtNDArray) weight);
        leaf.attach(manager);
        leaf.setRequiresGradient(true);
        return leaf;
    }

    /** All of them as one argument of a kernel. */
    IValue list() {
        return list;
    }

    /** What backward has accumulated for a weight; lives as long as these leaves. */
    Optional<NDArray> gradient(int weight) {
        Optional<NDArray> gradient =
                Optional.ofNullable(JniUtils.getGradient((PtNDArray) tensors.get(weight)));
        gradient.ifPresent(g -> g.attach(manager));
        return gradient;
    }

    /** A gradient of zeros for a weight; lives as long as these leaves. */
    NDArray zeros(int weight) {
        return manager.zeros(tensors.get(weight).getShape());
    }

    @Override
    public void close() {
        list.close();
        manager.close();
    }
}
