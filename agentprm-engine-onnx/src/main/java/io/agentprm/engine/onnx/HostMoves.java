package io.agentprm.engine.onnx;

import com.sun.jna.Pointer;
import java.nio.ByteBuffer;

/** Moves in the processor's memory. */
record HostMoves(Device device) implements CacheMoves {
    @Override
    public void copy(CachePlanes from, int source, CachePlanes to, int target, int columns) {
        int bytes = Math.toIntExact(columns * from.columnBytes());
        int read = Math.toIntExact(from.headBytes());
        int write = Math.toIntExact(to.headBytes());
        for (int plane = 0; plane < from.planes(); plane++) {
            ByteBuffer in = from.address(plane, source).getByteBuffer(0, from.slotBytes());
            ByteBuffer out = to.address(plane, target).getByteBuffer(0, to.slotBytes());
            for (int head = 0; head < from.heads(); head++) {
                out.put(head * write, in, head * read, bytes);
            }
        }
    }

    @Override
    public void zero(CachePlanes planes, int slot, int first) {
        long before = first * planes.columnBytes();
        for (int plane = 0; plane < planes.planes(); plane++) {
            Pointer address = planes.address(plane, slot);
            for (int head = 0; head < planes.heads(); head++) {
                long bytes = planes.headBytes() - before;
                address.setMemory(head * planes.headBytes() + before, bytes, (byte) 0);
            }
        }
    }

    @Override
    public void close() {}
}
