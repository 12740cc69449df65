package io.agentprm.engine.onnx;

import com.sun.jna.Pointer;
import io.agentprm.lm.checkpoint.ModelConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * Caches as tensors, which are made anew where the caches lie elsewhere than in the pass before.
 */
final class CacheTensors implements AutoCloseable {
    private final Device device;
    private final ModelConfig config;
    private final List<Tensor> tensors = new ArrayList<>();
    private List<Pointer> addresses = List.of();
    private long rows;

    CacheTensors(Device device, ModelConfig config) {
        this.device = device;
        this.config = config;
    }

    /** A tensor for each plane, [sequences × kv heads × columns, head size]. */
    List<Tensor> of(Caches caches) {
        List<Pointer> wanted = new ArrayList<>();
        for (int plane = 0; plane < 2 * config.layers(); plane++) {
            wanted.add(caches.address(plane));
        }
        long count = (long) caches.sequences() * config.kvHeads() * caches.columns();
        if (count != rows || !wanted.equals(addresses)) {
            close();
            for (Pointer address : wanted) {
                tensors.add(device.tensor(address, TensorType.FLOAT, count, config.headDim()));
            }
            rows = count;
            addresses = wanted;
        }
        return tensors;
    }

    @Override
    public void close() {
        tensors.forEach(Tensor::close);
        tensors.clear();
        addresses = List.of();
    }
}
