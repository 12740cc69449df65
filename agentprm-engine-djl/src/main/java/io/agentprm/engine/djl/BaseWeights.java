package io.agentprm.engine.djl;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.Tensors;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Weights of a model in native memory that nobody changes: the adapters over it share them. They go
 * when the last holder has closed them. Thread-safe.
 */
final class BaseWeights implements AutoCloseable {
    private final NDManager manager;
    private final Map<String, NDArray> byName = new HashMap<>();
    private int holders = 1;

    private BaseWeights(Device device) {
        manager = NDManager.newBaseManager(device, "PyTorch");
    }

    /** Loads the weights; the caller is their first holder. */
    static BaseWeights load(ModelDirectory directory, Device device, Precision held) {
        WeightLayout layout = WeightLayout.of(directory.config());
        BaseWeights base = new BaseWeights(device);
        try (Tensors tensors = directory.openWeights();
                WeightLoader loader = new WeightLoader(tensors, layout, held)) {
            for (WeightLayout.Tensor tensor : layout.tensors()) {
                base.byName.put(tensor.name(), loader.load(base.manager, tensor));
            }
            return base;
        } catch (RuntimeException | Error e) {
            base.close();
            throw e;
        }
    }

    /** A tensor of the engine by the name of its first part, if it is one of the base. */
    Optional<NDArray> get(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** Another hold, for one who has one. */
    BaseWeights shared() {
        if (!retain()) {
            throw new DjlEngineException("the model is closed; load it again");
        }
        return this;
    }

    /** Takes another hold, unless the weights are gone. */
    synchronized boolean retain() {
        if (holders == 0) {
            return false;
        }
        holders++;
        return true;
    }

    @Override
    public synchronized void close() {
        holders--;
        if (holders == 0) {
            manager.close();
        }
    }
}
