package io.agentprm.engine.onnx;

import com.sun.jna.Pointer;
import io.agentprm.lm.checkpoint.ModelConfig;

/**
 * Caches that hold nothing beyond their pass: a layer's keys and values take the place of those of
 * the layer before, which nobody reads any more.
 */
final class PassingCaches implements Caches, AutoCloseable {
    private static final int KEYS_AND_VALUES = 2;

    private final CachePlanes planes;

    PassingCaches(CacheMoves moves, ModelConfig config, int sequences, int columns) {
        planes =
                CachePlanes.of(
                        moves.device(),
                        KEYS_AND_VALUES,
                        sequences,
                        config.kvHeads(),
                        columns,
                        config.headDim());
        // A masked number still is multiplied by 0, and not a number stays one.
        for (int sequence = 0; sequence < sequences; sequence++) {
            moves.zero(planes, sequence, 0);
        }
    }

    @Override
    public int sequences() {
        return planes.slots();
    }

    @Override
    public int columns() {
        return planes.columns();
    }

    @Override
    public Pointer address(int plane) {
        return planes.address(plane % KEYS_AND_VALUES, 0);
    }

    @Override
    public void close() {
        planes.close();
    }
}
