package io.agentprm.engine.onnx;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxTensorLike;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtProvider;
import ai.onnxruntime.OrtSession;
import com.sun.jna.Memory;
import io.agentprm.lm.DeviceChoice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** ONNX Runtime on a device: makes sessions. */
final class OnnxRuntime {
    private static final Logger LOG = LoggerFactory.getLogger(OnnxRuntime.class);

    private final OrtEnvironment environment;
    private final boolean cuda;
    private final int threads;

    private OnnxRuntime(OrtEnvironment environment, boolean cuda, int threads) {
        this.environment = environment;
        this.cuda = cuda;
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
            boolean cuda =
                    usesCuda(
                            choice, providers.contains(OrtProvider.CUDA), environment.getVersion());
            OnnxRuntime runtime = new OnnxRuntime(environment, cuda, threads);
            runtime.options().close();
            LOG.info(
                    "ONNX Runtime {} on {} with {} threads",
                    environment.getVersion(),
                    runtime.device(),
                    threads);
            return runtime;
        } catch (LinkageError e) {
            throw new OnnxEngineException(
                    "ONNX Runtime's native library could not be loaded ("
                            + e.getMessage()
                            + "). com.microsoft.onnxruntime:onnxruntime holds those of Linux,"
                            + " macOS and Windows; on Linux they need glibc 2.27 or newer",
                    e);
        }
    }

    /** Whether models run on CUDA, for what was asked and what this build of ONNX Runtime has. */
    static boolean usesCuda(DeviceChoice choice, boolean available, String version) {
        if (choice == DeviceChoice.CUDA && !available) {
            throw new OnnxEngineException(
                    "device cuda was asked for: expected ONNX Runtime with the CUDA provider, found"
                            + " version "
                            + version
                            + " with the CPU provider only. Put"
                            + " com.microsoft.onnxruntime:onnxruntime_gpu:"
                            + version
                            + " in the place of onnxruntime, with CUDA 12, cuDNN 9 and an NVIDIA"
                            + " driver on the machine, or use device auto or cpu");
        }
        return choice != DeviceChoice.CPU && available;
    }

    OrtEnvironment environment() {
        return environment;
    }

    /** The effective device. */
    String device() {
        return cuda ? "cuda:0" : "cpu";
    }

    /**
     * A session of a model in memory.
     *
     * @param model the model file
     * @param weights what it keeps outside of itself
     */
    OrtSession session(byte[] model, List<Weight> weights) {
        List<Memory> memories = new ArrayList<>();
        Map<String, OnnxTensorLike> tensors = new HashMap<>();
        try (OrtSession.SessionOptions options = options()) {
            for (Weight weight : weights) {
                Memory memory = new Memory(weight.length());
                memories.add(memory);
                tensors.put(weight.name(), tensor(weight, memory));
            }
            options.addExternalInitializers(tensors);
            return environment.createSession(model, options);
        } catch (OrtException e) {
            throw refused(e);
        } finally {
            tensors.values().forEach(OnnxTensorLike::close);
            memories.forEach(Memory::close);
        }
    }

    /** A session of a model file. */
    OrtSession session(Path model) {
        try (OrtSession.SessionOptions options = options()) {
            return environment.createSession(model.toString(), options);
        } catch (OrtException e) {
            throw new OnnxEngineException(
                    "ONNX Runtime could not load " + model + ": " + e.getMessage(), e);
        }
    }

    private OnnxTensor tensor(Weight weight, Memory memory) throws OrtException {
        ByteBuffer bytes = memory.getByteBuffer(0, weight.length()).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(weight.values().get()).flip();
        OnnxJavaType type =
                switch (weight.type()) {
                    case FLOAT -> OnnxJavaType.FLOAT;
                    case UINT8 -> OnnxJavaType.UINT8;
                    case INT8 -> OnnxJavaType.INT8;
                    case INT64 -> OnnxJavaType.INT64;
                };
        return OnnxTensor.createTensor(environment, bytes, weight.shape().toArray(), type);
    }

    private OrtSession.SessionOptions options() {
        OrtSession.SessionOptions options = new OrtSession.SessionOptions();
        try {
            options.setIntraOpNumThreads(threads);
            // Threads that spin while they wait take the cores that others need.
            options.addConfigEntry("session.intra_op.allow_spinning", "0");
            // Plans of memory are kept for every combination of sizes, of which there is no end.
            options.setMemoryPatternOptimization(false);
            if (cuda) {
                options.addCUDA(0);
            }
            return options;
        } catch (OrtException e) {
            options.close();
            throw new OnnxEngineException(
                    "ONNX Runtime "
                            + environment.getVersion()
                            + " has the CUDA provider but cannot use it: expected CUDA 12, cuDNN 9"
                            + " and an NVIDIA driver, found: "
                            + e.getMessage()
                            + ". Use device cpu to go on without",
                    e);
        }
    }

    private static OnnxEngineException refused(OrtException e) {
        return new OnnxEngineException(
                "ONNX Runtime could not load the model: " + e.getMessage(), e);
    }
}
