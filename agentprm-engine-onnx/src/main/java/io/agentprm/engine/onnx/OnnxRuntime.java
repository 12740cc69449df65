package io.agentprm.engine.onnx;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtProvider;
import ai.onnxruntime.OrtSession;
import com.sun.jna.Memory;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import com.sun.jna.WString;
import io.agentprm.api.IoReasons;
import io.agentprm.engine.onnx.CApi.Call;
import io.agentprm.lm.DeviceChoice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** ONNX Runtime on a device: makes sessions. */
final class OnnxRuntime implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OnnxRuntime.class);

    /** What goes wrong is in the exception; a library does not print. */
    private static final int FATAL = 4;

    /** ONNX Runtime's name of a GPU's memory. */
    private static final String CUDA = "Cuda";

    private final CApi api;
    private final Pointer environment;
    private final String memory;
    private final int threads;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * @param memory ONNX Runtime's name of the memory that sessions run in and allocate from; empty
     *     for what Java allocates
     */
    private OnnxRuntime(CApi api, String memory, int threads) {
        this.api = api;
        this.environment = api.create(Call.CREATE_ENV, FATAL, "agentprm");
        this.memory = memory;
        this.threads = threads;
    }

    /**
     * Loads ONNX Runtime.
     *
     * @param threads of a matrix product
     * @throws OnnxEngineException if its native library or the device is missing
     */
    static OnnxRuntime start(DeviceChoice choice, int threads) {
        try {
            // What goes wrong is in the exception; a library does not print.
            OrtEnvironment environment =
                    OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
            EnumSet<OrtProvider> providers = OrtEnvironment.getAvailableProviders();
            String version = environment.getVersion();
            CudaCheck cuda =
                    new CudaCheck(
                            version,
                            providers.contains(OrtProvider.CUDA),
                            OnnxRuntime::tryCuda,
                            () -> CudaMachine.here(System.getenv()).describe(),
                            LOG::warn);
            String memory = cuda.uses(choice) ? CUDA : "";
            OnnxRuntime runtime = new OnnxRuntime(CApi.load(), memory, threads);
            LOG.info("ONNX Runtime {} on {} with {} threads", version, runtime.device(), threads);
            return runtime;
        } catch (LinkageError e) {
            throw new OnnxEngineException(
                    "ONNX Runtime's native library could not be loaded ("
                            + reason(e)
                            + "). It is unpacked below java.io.tmpdir, "
                            + System.getProperty("java.io.tmpdir")
                            + ". com.microsoft.onnxruntime:onnxruntime holds those of Linux,"
                            + " macOS and Windows; on Linux they need glibc 2.27 or newer",
                    e);
        }
    }

    /** What made a class of it fail to load, not that this failed. */
    private static String reason(Throwable failure) {
        Throwable first = failure;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        return first instanceof IOException unwritten
                ? IoReasons.of(unwritten)
                : String.valueOf(first.getMessage());
    }

    /** The same, with caches in memory that ONNX Runtime allocates, as on a GPU. */
    OnnxRuntime withMemory(String name) {
        return new OnnxRuntime(api, name, threads);
    }

    boolean onGpu() {
        return memory.equals(CUDA);
    }

    /** Version of the ONNX Runtime that was loaded. */
    String version() {
        return OrtEnvironment.getEnvironment().getVersion();
    }

    /**
     * The effective device: where all matrix products run. A session that would leave one of them
     * to the processor is refused; what computes shapes ONNX Runtime leaves there on purpose.
     */
    String device() {
        return onGpu() ? "cuda:0" : "cpu";
    }

    /** What moves keys and values where a session runs. */
    CacheMoves moves(Session session) {
        return memory.isEmpty()
                ? new HostMoves(session.host())
                : new GraphMoves(session(GraphMoves.graph()));
    }

    /** A session of a model in memory, which has no weights. */
    Session session(byte[] model) {
        try (Memory bytes = new Memory(model.length)) {
            bytes.write(0, model, 0, model.length);
            return withOptions(
                    options ->
                            api.create(
                                    Call.CREATE_SESSION_FROM_ARRAY,
                                    environment,
                                    bytes,
                                    (long) model.length,
                                    options));
        }
    }

    /** A session of a model file. */
    Session session(Path model) {
        String path = model.toString();
        try {
            return withOptions(
                    options ->
                            api.create(
                                    Call.CREATE_SESSION,
                                    environment,
                                    Platform.isWindows() ? new WString(path) : path,
                                    options));
        } catch (OnnxEngineException e) {
            throw new OnnxEngineException("could not load " + model + ": " + e.getMessage(), e);
        }
    }

    private Session withOptions(UnaryOperator<Pointer> create) {
        Pointer options = api.create(Call.CREATE_SESSION_OPTIONS);
        try {
            api.call(Call.SET_INTRA_OP_NUM_THREADS, options, threads);
            // Threads that spin while they wait take the cores that others need.
            api.call(
                    Call.ADD_SESSION_CONFIG_ENTRY, options, "session.intra_op.allow_spinning", "0");
            // It would take the transposition back that lets weights come first.
            api.call(
                    Call.ADD_SESSION_CONFIG_ENTRY,
                    options,
                    "optimization.disable_specified_optimizers",
                    "GemmTransposeFusion");
            // Plans of memory are kept for every combination of sizes, of which there is no end.
            api.call(Call.DISABLE_MEM_PATTERN, options);
            if (onGpu()) {
                CudaOptions.append(api, options);
                api.call(Call.ADD_SESSION_CONFIG_ENTRY, options, Placement.KEY, "1");
            }
            Pointer session = create.apply(options);
            if (onGpu()) {
                requireOnDevice(session);
            }
            return new Session(api, session, memory);
        } finally {
            api.release(Call.RELEASE_SESSION_OPTIONS, options);
        }
    }

    private void requireOnDevice(Pointer session) {
        try {
            Placement placement = Placement.of(api, session);
            placement.requireProductsOffProcessor();
            LOG.info("on the processor, not on {}: {}", device(), placement.onProcessor());
        } catch (OnnxEngineException e) {
            api.release(Call.RELEASE_SESSION, session);
            throw e;
        }
    }

    /**
     * Appends the provider once through the Java interface, which also puts its libraries where
     * ONNX Runtime looks for them.
     */
    private static void tryCuda() throws OrtException {
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
            options.addCUDA(0);
        }
    }

    /** What this and its sessions make objects by, and count them. */
    CApi api() {
        return api;
    }

    /** Sessions that are open stay so: ONNX Runtime counts who uses its environment. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            api.release(Call.RELEASE_ENV, environment);
        }
    }
}
