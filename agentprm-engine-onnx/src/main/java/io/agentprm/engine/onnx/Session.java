package io.agentprm.engine.onnx;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import io.agentprm.engine.onnx.CApi.Call;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * A graph in ONNX Runtime, with the device that it runs on. Inputs are read and outputs written
 * where they lie, on the device or not. Used by one thread at a time.
 */
final class Session implements AutoCloseable {
    private final CApi api;
    private final Pointer session;
    private final Device device;
    private final Device host;
    private final Set<String> inputs;
    private final Map<String, Memory> names = new HashMap<>();
    private Memory arrays = new Memory(1 << 10);

    /**
     * @param deviceName ONNX Runtime's name of the device's memory; empty for the processor's
     */
    Session(CApi api, Pointer session, String deviceName) {
        this.api = api;
        this.session = session;
        this.host = Device.host(api);
        this.device = deviceName.isEmpty() ? host : Device.of(api, deviceName, session);
        this.inputs = inputNames();
    }

    private Set<String> inputNames() {
        Memory count = new Memory(Native.SIZE_T_SIZE);
        count.clear();
        api.call(Call.SESSION_GET_INPUT_COUNT, session, count);
        Pointer allocator = api.create(Call.GET_DEFAULT_ALLOCATOR);
        Set<String> all = new LinkedHashSet<>();
        for (int i = 0; i < count.getInt(0); i++) {
            Pointer name = api.create(Call.SESSION_GET_INPUT_NAME, session, (long) i, allocator);
            all.add(name.getString(0, "UTF-8"));
            api.call(Call.ALLOCATOR_FREE, allocator, name);
        }
        return Set.copyOf(all);
    }

    /** Where the graph runs. */
    Device device() {
        return device;
    }

    /** The processor's memory. */
    Device host() {
        return host;
    }

    Set<String> inputs() {
        return inputs;
    }

    /**
     * Runs the graph.
     *
     * @param feeds a tensor for each input
     * @param fetches tensors that wanted outputs are written into; one of them may share the memory
     *     of an input that the graph changes in place
     */
    void run(Map<String, Tensor> feeds, Map<String, Tensor> fetches) {
        int slots = 2 * (feeds.size() + fetches.size());
        long needed = (long) slots * Native.POINTER_SIZE;
        if (arrays.size() < needed) {
            arrays.close();
            arrays = new Memory(2 * needed);
        }
        long outputs = 2L * feeds.size() * Native.POINTER_SIZE;
        list(feeds, 0);
        list(fetches, outputs);
        long half = (long) feeds.size() * Native.POINTER_SIZE;
        long other = (long) fetches.size() * Native.POINTER_SIZE;
        api.call(
                Call.RUN,
                session,
                Pointer.NULL,
                arrays,
                arrays.share(half),
                (long) feeds.size(),
                arrays.share(outputs),
                (long) fetches.size(),
                arrays.share(outputs + other));
    }

    /** Names behind each other, then values. */
    private void list(Map<String, Tensor> tensors, long start) {
        long at = start;
        long half = (long) tensors.size() * Native.POINTER_SIZE;
        for (Map.Entry<String, Tensor> entry : tensors.entrySet()) {
            arrays.setPointer(at, names.computeIfAbsent(entry.getKey(), CApi::text));
            arrays.setPointer(at + half, entry.getValue().value());
            at += Native.POINTER_SIZE;
        }
    }

    @Override
    public void close() {
        if (device != host) {
            device.close();
        }
        host.close();
        api.release(Call.RELEASE_SESSION, session);
        names.values().forEach(Memory::close);
        arrays.close();
    }
}
