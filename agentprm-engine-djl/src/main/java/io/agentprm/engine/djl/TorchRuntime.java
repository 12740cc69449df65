package io.agentprm.engine.djl;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import ai.djl.pytorch.jni.JniUtils;
import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import io.agentprm.lm.DeviceChoice;
import io.agentprm.lm.NvidiaDriver;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Loads libtorch once per process and settles what can be set once only. */
final class TorchRuntime {
    private static final Logger LOG = LoggerFactory.getLogger(TorchRuntime.class);

    /**
     * Read by the OpenMP runtime when it loads. Waiting threads sleep rather than spin: spinning
     * ones take the cores that the others need as soon as the machine does anything else.
     */
    private static final Map<String, String> ENVIRONMENT =
            Map.of("OMP_WAIT_POLICY", "PASSIVE", "KMP_BLOCKTIME", "0");

    /** The version that DJL 0.36 is made for. */
    private static final String LIBTORCH = "2.7.1";

    private static final Object LOCK = new Object();
    private static int threads;

    private TorchRuntime() {}

    /**
     * Loads libtorch.
     *
     * @param wantedThreads threads of a matrix product; the first setting of a process holds
     * @return the effective device
     */
    static Device start(DeviceChoice choice, int wantedThreads) {
        synchronized (LOCK) {
            if (threads == 0) {
                load();
                threads = wantedThreads;
                JniUtils.setNumThreads(threads);
                LOG.info("PyTorch {} with {} threads", version(), threads);
            } else if (threads != wantedThreads) {
                LOG.warn(
                        "PyTorch runs with {} threads already; the setting {} has no effect in"
                                + " this process",
                        threads,
                        wantedThreads);
            }
            return device(choice);
        }
    }

    private static void load() {
        if (System.getProperty("ai.djl.offline") == null) {
            System.setProperty("ai.djl.offline", "true");
        }
        prepareProcess();
        try {
            engine();
        } catch (EngineException | LinkageError e) {
            throw new DjlEngineException(
                    "PyTorch's native library could not be loaded ("
                            + rootCause(e)
                            + "). Put ai.djl.pytorch:pytorch-native-cpu:"
                            + LIBTORCH
                            + " with the classifier of this platform (such as linux-x86_64) on the"
                            + " class path, or set PYTORCH_LIBRARY_PATH and PYTORCH_VERSION="
                            + LIBTORCH
                            + " to a libtorch of your own. Nothing is downloaded unless -Dai.djl.offline=false",
                    e);
        }
    }

    /** Version of the libtorch that was loaded. */
    static String version() {
        return engine().getVersion();
    }

    private static Engine engine() {
        return Engine.getEngine("PyTorch");
    }

    private static Throwable rootCause(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /**
     * Sets what libtorch and the C allocator read on their first use, where the user has not: the
     * OpenMP wait policy, and on glibc that large freed blocks are kept (by default each large
     * buffer is mapped, zeroed page by page and unmapped again).
     */
    private static void prepareProcess() {
        if (!Platform.isLinux() || Platform.isAndroid()) {
            return;
        }
        try {
            NativeLibrary c = NativeLibrary.getInstance("c");
            Function setenv = c.getFunction("setenv");
            ENVIRONMENT.forEach((name, value) -> setenv.invokeInt(new Object[] {name, value, 0}));
            if (System.getenv("MALLOC_MMAP_THRESHOLD_") == null) {
                Function mallopt = c.getFunction("mallopt");
                int mmapThreshold = -3;
                int trimThreshold = -1;
                mallopt.invokeInt(new Object[] {mmapThreshold, 1 << 30});
                mallopt.invokeInt(new Object[] {trimThreshold, Integer.MAX_VALUE});
            }
        } catch (LinkageError e) {
            LOG.warn(
                    "could not set {} for this process ({}); export them before starting the JVM,"
                            + " or training may slow down on a shared machine",
                    ENVIRONMENT.keySet(),
                    e.toString());
        }
    }

    private static Device device(DeviceChoice choice) {
        int gpus = engine().getGpuCount();
        if (choice == DeviceChoice.CPU || (choice == DeviceChoice.AUTO && gpus == 0)) {
            return Device.cpu();
        }
        if (gpus == 0) {
            throw new DjlEngineException(
                    "device cuda was asked for, but libtorch sees no CUDA device ("
                            + new CudaNeeds(LIBTORCH, System.getenv(), NvidiaDriver.VERSION)
                                    .describe(version())
                            + "). docs/djl.md says where to get it; use device auto or cpu to go on"
                            + " without. "
                            + DeviceChoice.CUDA_UNTRIED);
        }
        LOG.warn(
                "models run on a GPU. {} when this was built: compare with device cpu first",
                DeviceChoice.CUDA_UNTRIED);
        return Device.gpu();
    }
}
