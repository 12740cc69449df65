package io.agentprm.engine.onnx;

import io.agentprm.lm.checkpoint.ModelConfig;
import java.util.EnumSet;
import java.util.Set;

/**
 * The orders of float32 products that a model is loaded in.
 *
 * @param cachedBytes weights up to that size stay in the processor's cache: packing them is best
 * @param packedBytes larger weights up to that size are held twice, packed and as they are, for
 *     passes of different sizes
 */
record Orders(long cachedBytes, long packedBytes) {
    /** A common size of the cache that the cores of a processor share. */
    static final long CACHED_BYTES = 32L << 20;

    static final Set<Order> PACKED = Set.of(Order.STATES_FIRST);

    Set<Order> of(ModelConfig config) {
        long bytes = config.parameters() * Float.BYTES;
        if (bytes <= cachedBytes) {
            return PACKED;
        }
        return bytes <= packedBytes ? EnumSet.allOf(Order.class) : EnumSet.of(Order.WEIGHTS_FIRST);
    }

    /** Those that an exported model is written in, for whatever loads it. */
    static Set<Order> ofExport(ModelConfig config, Precision precision) {
        return precision.wholeNumbers()
                ? PACKED
                : new Orders(CACHED_BYTES, Long.MAX_VALUE).of(config);
    }
}
