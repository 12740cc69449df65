package io.agentprm.engine.onnx;

import com.sun.jna.Pointer;
import java.util.Optional;

/**
 * Memory of a device for keys and values: planes of [slots, heads, columns, size] floats behind
 * each other.
 *
 * @param block absent where there are no slots
 */
record CachePlanes(
        Optional<Device.Block> block, int planes, int slots, int heads, int columns, int size)
        implements AutoCloseable {
    static CachePlanes none(int planes, int heads, int size) {
        return new CachePlanes(Optional.empty(), planes, 0, heads, 0, size);
    }

    /** Planes of any content. */
    static CachePlanes of(Device device, int planes, int slots, int heads, int columns, int size) {
        long bytes = (long) planes * slots * heads * columns * size * Float.BYTES;
        Device.Block block = device.allocate(bytes);
        return new CachePlanes(Optional.of(block), planes, slots, heads, columns, size);
    }

    /** Bytes of a slot in one plane. */
    long slotBytes() {
        return heads * headBytes();
    }

    /** Bytes of a head of a slot. */
    long headBytes() {
        return columns * columnBytes();
    }

    /** Bytes of a head's column. */
    long columnBytes() {
        return (long) size * Float.BYTES;
    }

    Pointer address(int plane, int slot) {
        return block.orElseThrow().at(((long) plane * slots + slot) * slotBytes());
    }

    @Override
    public void close() {
        block.ifPresent(Device.Block::close);
    }
}
