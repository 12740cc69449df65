package io.agentprm.engine.onnx;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * ONNX Runtime's C interface, of which its Java interface shows a part only: here tensors may lie
 * on a device, and stay there from one run to the next. A table of functions that only ever grows
 * at its end ({@code OrtApi} in {@code onnxruntime_c_api.h}), so that a place in it means the same
 * in every later version. All platforms that ONNX Runtime's Java artefacts have natives for are
 * 64-bit, so sizes are passed as {@code long}.
 */
final class CApi {
    /** The minor version of ONNX Runtime 1 that the table is asked for in. */
    static final int VERSION = 29;

    private static final Pattern VERSION_TEXT = Pattern.compile("1\\.(\\d+)\\..*");

    /** Functions with their places in the table. */
    enum Call {
        GET_ERROR_MESSAGE(2),
        CREATE_ENV(3),
        CREATE_SESSION(7),
        CREATE_SESSION_FROM_ARRAY(8),
        RUN(9),
        CREATE_SESSION_OPTIONS(10),
        DISABLE_MEM_PATTERN(17),
        SET_INTRA_OP_NUM_THREADS(24),
        SESSION_GET_INPUT_COUNT(30),
        SESSION_GET_INPUT_NAME(36),
        CREATE_TENSOR_AS_VALUE(48),
        CREATE_TENSOR_WITH_DATA(49),
        GET_TENSOR_MUTABLE_DATA(51),
        CREATE_MEMORY_INFO(68),
        ALLOCATOR_FREE(76),
        GET_DEFAULT_ALLOCATOR(78),
        RELEASE_ENV(92),
        RELEASE_STATUS(93),
        RELEASE_MEMORY_INFO(94),
        RELEASE_SESSION(95),
        RELEASE_VALUE(96),
        RELEASE_SESSION_OPTIONS(100),
        ADD_SESSION_CONFIG_ENTRY(130),
        CREATE_ALLOCATOR(131),
        RELEASE_ALLOCATOR(132),
        APPEND_CUDA(204),
        CREATE_CUDA_OPTIONS(205),
        UPDATE_CUDA_OPTIONS(206),
        RELEASE_CUDA_OPTIONS(208),
        SESSION_GET_ASSIGNMENT(407),
        ASSIGNED_GRAPH_GET_PROVIDER(408),
        ASSIGNED_GRAPH_GET_NODES(409),
        ASSIGNED_NODE_GET_OPERATOR(412);

        private final int place;

        Call(int place) {
            this.place = place;
        }

        /** Whether what it gives is the caller's, and has to be released. */
        private boolean makes() {
            return name().startsWith("CREATE_");
        }

        private boolean releasesWhatWasMade() {
            return name().startsWith("RELEASE_") && this != RELEASE_STATUS;
        }
    }

    private final Map<Call, Function> functions = new EnumMap<>(Call.class);
    private final AtomicLong live = new AtomicLong();

    private CApi(Pointer table) {
        for (Call call : Call.values()) {
            Pointer address = table.getPointer((long) call.place * Native.POINTER_SIZE);
            functions.put(call, Function.getFunction(address));
        }
    }

    /**
     * The interface of the library that ONNX Runtime's Java interface has loaded.
     *
     * @throws OnnxEngineException if it is not found, or older than {@link #VERSION}
     */
    static CApi load() {
        Pointer base = entry().invokePointer(new Object[0]);
        String version =
                Function.getFunction(base.getPointer(Native.POINTER_SIZE))
                        .invokeString(new Object[0], false);
        requireVersion(version);
        return new CApi(
                Function.getFunction(base.getPointer(0)).invokePointer(new Object[] {VERSION}));
    }

    /** Refuses versions whose table is shorter. */
    static void requireVersion(String version) {
        Matcher matcher = VERSION_TEXT.matcher(version);
        if (!matcher.matches() || Integer.parseInt(matcher.group(1)) < VERSION) {
            throw new OnnxEngineException(
                    "expected ONNX Runtime 1."
                            + VERSION
                            + " or a later 1.x, found "
                            + version
                            + ". Put that version of com.microsoft.onnxruntime:onnxruntime (or"
                            + " onnxruntime_gpu) on the class or module path, and remove"
                            + " onnxruntime.native.path if it points at another one");
        }
    }

    /**
     * A library that is loaded already is found by the name it was built under, wherever its file
     * lies: on Linux the soname, on Windows the module's name; on macOS its functions are the
     * process's own.
     */
    private static Function entry() {
        List<String> tried = new ArrayList<>();
        for (String name : List.of("libonnxruntime.so.1", "onnxruntime.dll", "")) {
            try {
                NativeLibrary library =
                        name.isEmpty()
                                ? NativeLibrary.getProcess()
                                : NativeLibrary.getInstance(name);
                return library.getFunction("OrtGetApiBase");
            } catch (UnsatisfiedLinkError e) {
                tried.add(e.getMessage());
            }
        }
        throw new OnnxEngineException(
                "the C interface of ONNX Runtime was not found in this process: " + tried);
    }

    /**
     * Calls a function that returns a status.
     *
     * @throws OnnxEngineException with ONNX Runtime's message if it is not good
     */
    void call(Call call, Object... arguments) {
        Pointer status = functions.get(call).invokePointer(arguments);
        if (status != null) {
            String message =
                    functions
                            .get(Call.GET_ERROR_MESSAGE)
                            .invokeString(new Object[] {status}, false);
            release(Call.RELEASE_STATUS, status);
            throw new OnnxEngineException("ONNX Runtime: " + message);
        }
    }

    /** Calls a function whose last argument, which is not given here, receives a pointer. */
    Pointer create(Call call, Object... arguments) {
        PointerByReference out = new PointerByReference();
        Object[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = out;
        call(call, all);
        if (call.makes()) {
            live.incrementAndGet();
        }
        return out.getValue();
    }

    /** Objects of ONNX Runtime that were made here and not released: native memory. */
    long live() {
        return live.get();
    }

    void release(Call call, Pointer object) {
        if (call.releasesWhatWasMade()) {
            live.decrementAndGet();
        }
        functions.get(call).invokeVoid(new Object[] {object});
    }

    /** Text as C has it; lives as long as the object. */
    static Memory text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Memory memory = new Memory(bytes.length + 1L);
        memory.write(0, bytes, 0, bytes.length);
        memory.setByte(bytes.length, (byte) 0);
        return memory;
    }

    /** Pointers behind each other; the array keeps no hold of what they point at. */
    static Memory pointers(List<? extends Pointer> pointers) {
        Memory memory = new Memory(Math.max(1, (long) pointers.size() * Native.POINTER_SIZE));
        for (int i = 0; i < pointers.size(); i++) {
            memory.setPointer((long) i * Native.POINTER_SIZE, pointers.get(i));
        }
        return memory;
    }
}
