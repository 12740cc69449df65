package io.agentprm.engine.onnx;

import com.sun.jna.Pointer;

/** Keys and values that a pass reads and writes, on the device that the network runs on. */
interface Caches {
    /** Number of sequences. */
    int sequences();

    /** Columns of each sequence. */
    int columns();

    /**
     * Where the keys or the values of a layer lie, [sequences, kv heads, columns, head size].
     *
     * @param plane 2 × layer for keys, one more for values
     */
    Pointer address(int plane);
}
