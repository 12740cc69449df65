package io.agentprm.engine.onnx;

import ai.onnxruntime.OrtException;
import io.agentprm.lm.DeviceChoice;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Whether models run on CUDA, for what is asked, what this build of ONNX Runtime has, and whether
 * it works on this machine.
 *
 * @param version of ONNX Runtime
 * @param built whether it was built with the CUDA provider
 * @param attempt makes the provider, which loads CUDA's libraries
 * @param found what the machine has of what the provider needs, in words
 * @param warning gets what is no error
 */
record CudaCheck(
        String version,
        boolean built,
        Attempt attempt,
        Supplier<String> found,
        Consumer<String> warning) {
    /** Fails where CUDA cannot be used. */
    @FunctionalInterface
    interface Attempt {
        void run() throws OrtException;
    }

    /**
     * Whether to use CUDA. Where it is there and does not work, {@link DeviceChoice#AUTO} goes on
     * with the processor and a warning.
     *
     * @throws OnnxEngineException if {@link DeviceChoice#CUDA} is asked for and there is none, with
     *     what was expected and found
     */
    boolean uses(DeviceChoice choice) {
        if (choice == DeviceChoice.CPU) {
            return false;
        }
        if (!built) {
            if (choice == DeviceChoice.CUDA) {
                throw new OnnxEngineException(
                        "device cuda was asked for: expected ONNX Runtime with the CUDA provider,"
                                + " found version "
                                + version
                                + " with the CPU provider only. Put"
                                + " com.microsoft.onnxruntime:onnxruntime_gpu:"
                                + version
                                + " in the place of onnxruntime, with "
                                + CudaMachine.EXPECTED
                                + " on the machine, or use device auto or cpu. "
                                + DeviceChoice.CUDA_UNTRIED);
            }
            return false;
        }
        try {
            attempt.run();
        } catch (OrtException e) {
            String reason =
                    "ONNX Runtime "
                            + version
                            + " has the CUDA provider but cannot use it: expected "
                            + CudaMachine.EXPECTED
                            + ", found "
                            + found.get()
                            + ". It says: "
                            + e.getMessage()
                            + ". ";
            if (choice == DeviceChoice.CUDA) {
                throw new OnnxEngineException(
                        reason + "Use device auto or cpu. " + DeviceChoice.CUDA_UNTRIED, e);
            }
            warning.accept(reason + "The processor is used");
            return false;
        }
        warning.accept(
                "models run on a GPU. "
                        + DeviceChoice.CUDA_UNTRIED
                        + " when this was built: compare with device cpu first");
        return true;
    }
}
