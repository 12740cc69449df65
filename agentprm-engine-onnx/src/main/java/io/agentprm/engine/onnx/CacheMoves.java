package io.agentprm.engine.onnx;

/** Moves keys and values within a device. */
interface CacheMoves extends AutoCloseable {
    /** The device, which also allocates them. */
    Device device();

    /**
     * Copies the first columns of a slot in all planes; further columns may stay or become zero.
     */
    void copy(CachePlanes from, int source, CachePlanes to, int target, int columns);

    /**
     * Sets columns of a slot to zero in all planes.
     *
     * @param first of the columns; those before it have just been copied
     */
    void zero(CachePlanes planes, int slot, int first);

    /** Copies columns within slots, as {@link io.agentprm.lm.decode.CacheMemory#pull} says. */
    void pull(CachePlanes planes, int[] slots, int[] from, int[] to);

    @Override
    void close();
}
