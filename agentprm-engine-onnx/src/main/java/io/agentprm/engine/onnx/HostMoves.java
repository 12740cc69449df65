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
    public void pull(CachePlanes planes, int[] slots, int[] from, int[] to) {
        int bytes = Math.toIntExact(planes.columnBytes());
        int head = Math.toIntExact(planes.headBytes());
        for (int plane = 0; plane < planes.planes(); plane++) {
            for (int i = 0; i < slots.length; i++) {
                ByteBuffer slot =
                        planes.address(plane, slots[i]).getByteBuffer(0, planes.slotBytes());
                for (int h = 0; h < planes.heads(); h++) {
                    slot.put(h * head + to[i] * bytes, slot, h * head + from[i] * bytes, bytes);
                }
            }
        }
    }

    @Override
    public void close() {}
}
