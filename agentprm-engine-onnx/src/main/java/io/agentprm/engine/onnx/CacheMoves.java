package io.agentprm.engine.onnx;

/** Moves keys and values within a device. */
interface CacheMoves extends AutoCloseable {
    /** The device, which also allocates them. */
    Device device();

    /**
     * Copies the first columns of a slot in all planes; further columns may stay or become zero.
     */
    void copy(CachePlanes from, int source, CachePlanes to, int target, int columns);

    /** Sets a slot to zero in all planes. */
    void zero(CachePlanes planes, int slot);

    @Override
    void close();
}
