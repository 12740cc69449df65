package io.agentprm.engine.onnx;

import com.sun.jna.Pointer;

/** Moves in the processor's memory. */
record HostMoves(Device device) implements CacheMoves {
    @Override
    public void copy(CachePlanes from, int source, CachePlanes to, int target, int columns) {
        long bytes = columns * from.columnBytes();
        for (int plane = 0; plane < from.planes(); plane++) {
            Pointer read = from.address(plane, source);
            Pointer write = to.address(plane, target);
            for (int head = 0; head < from.heads(); head++) {
                write.getByteBuffer(head * to.columns() * to.columnBytes(), bytes)
                        .put(read.getByteBuffer(head * from.columns() * from.columnBytes(), bytes));
            }
        }
    }

    @Override
    public void zero(CachePlanes planes, int slot) {
        for (int plane = 0; plane < planes.planes(); plane++) {
            planes.address(plane, slot).setMemory(0, planes.slotBytes(), (byte) 0);
        }
    }

    @Override
    public void close() {}
}
