package io.agentprm.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.IValue;
import ai.djl.pytorch.jni.JniUtils;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A model's trained weights, in the same memory, as tensors whose gradients autograd accumulates.
 * They are made anew for each update, because the first gradient of a new tensor is taken over as
 * it is: no zeros are written before it, and nothing is added to them.
 */
final class Leaves implements AutoCloseable {
    private final NDManager manager;
    private final List<NDArray> tensors;
    private final IValue list;

    Leaves(Decoder decoder) {
        manager = decoder.manager().newSubManager();
        List<NDArray> all = new ArrayList<>(decoder.weights());
        decoder.layout().trained().forEach(i -> all.set(i, leaf(all.get(i))));
        tensors = decoder.layout().trained(all);
        list = Script.list(all);
    }

    private NDArray leaf(NDArray weight) {
        NDArray leaf = JniUtils.detachGradient((PtNDArray) weight);
        leaf.attach(manager);
        leaf.setRequiresGradient(true);
        return leaf;
    }

    /** All weights, these and the frozen ones, as one argument of a kernel. */
    IValue list() {
        return list;
    }

    /** What backward has accumulated for a trained weight; lives as long as these leaves. */
    Optional<NDArray> gradient(int weight) {
        Optional<NDArray> gradient =
                Optional.ofNullable(JniUtils.getGradient((PtNDArray) tensors.get(weight)));
        gradient.ifPresent(g -> g.attach(manager));
        return gradient;
    }

    /** A gradient of zeros for a trained weight; lives as long as these leaves. */
    NDArray zeros(int weight) {
        return manager.zeros(tensors.get(weight).getShape());
    }

    @Override
    public void close() {
        list.close();
        manager.close();
    }
}
