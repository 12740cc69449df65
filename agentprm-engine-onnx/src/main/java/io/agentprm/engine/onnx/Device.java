package io.agentprm.engine.onnx;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.agentprm.engine.onnx.CApi.Call;

/** Where tensors lie: the processor's memory, or that of the device that a session runs on. */
final class Device implements AutoCloseable {
    private static final int ARENA = 1;
    private static final int DEFAULT_MEMORY = 0;

    private final CApi api;
    private final Pointer info;
    private final Pointer allocator;

    private Device(CApi api, Pointer info, Pointer allocator) {
        this.api = api;
        this.info = info;
        this.allocator = allocator;
    }

    private static Pointer info(CApi api, String name) {
        return api.create(Call.CREATE_MEMORY_INFO, name, ARENA, 0, DEFAULT_MEMORY);
    }

    /** The processor's memory. */
    static Device host(CApi api) {
        return new Device(api, info(api, "Cpu"), Pointer.NULL);
    }

    /**
     * Memory that a session allocates.
     *
     * @param name ONNX Runtime's for the kind of device: Cuda, or Cpu
     */
    static Device of(CApi api, String name, Pointer session) {
        Pointer info = info(api, name);
        return new Device(api, info, api.create(Call.CREATE_ALLOCATOR, session, info));
    }

    /** Whether Java can read and write it. */
    boolean isHost() {
        return allocator == null;
    }

    /** A stretch of memory. */
    interface Block extends AutoCloseable {
        /**
         * A place in it, in the device's addresses. Java cannot read or write through it unless the
         * device is the host: a slip is an exception, not a crash.
         *
         * @param offset in bytes
         */
        Pointer at(long offset);

        @Override
        void close();
    }

    /** Memory that only {@link #host} gives, of any content. */
    record HostBlock(Memory memory) implements Block {
        @Override
        public Pointer at(long offset) {
            return memory.share(offset);
        }

        @Override
        public void close() {
            memory.close();
        }
    }

    /** Memory of any content. */
    Block allocate(long bytes) {
        if (isHost()) {
            return new HostBlock(new Memory(bytes));
        }
        Tensor tensor =
                new Tensor(
                        api,
                        api.create(
                                Call.CREATE_TENSOR_AS_VALUE,
                                allocator,
                                new long[] {bytes},
                                1L,
                                TensorType.UINT8.number()));
        long address =
                Pointer.nativeValue(api.create(Call.GET_TENSOR_MUTABLE_DATA, tensor.value()));
        return new Block() {
            @Override
            public Pointer at(long offset) {
                return Pointer.createConstant(address + offset);
            }

            @Override
            public void close() {
                tensor.close();
            }
        };
    }

    /** A tensor over memory of this device, which outlives it. */
    Tensor tensor(Pointer address, TensorType type, long... shape) {
        long bytes = type.bytes();
        for (long size : shape) {
            bytes = Math.multiplyExact(bytes, size);
        }
        return new Tensor(
                api,
                api.create(
                        Call.CREATE_TENSOR_WITH_DATA,
                        info,
                        address,
                        bytes,
                        shape,
                        (long) shape.length,
                        type.number()));
    }

    @Override
    public void close() {
        if (!isHost()) {
            api.release(Call.RELEASE_ALLOCATOR, allocator);
        }
        api.release(Call.RELEASE_MEMORY_INFO, info);
    }
}
