package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtException;
import io.agentprm.lm.DeviceChoice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** CUDA is used where it works, and never silently not used. */
class CudaCheckTest {
    private static final CudaCheck.Attempt WORKS = () -> {};
    private static final CudaCheck.Attempt FAILS =
            () -> {
                throw new OrtException("libcublasLt.so.12: cannot open shared object file");
            };

    private final List<String> warnings = new ArrayList<>();

    private CudaCheck check(boolean built, CudaCheck.Attempt attempt) {
        return new CudaCheck("1.29.0", built, attempt, () -> "CUDA 11, cuDNN 8", warnings::add);
    }

    @Test
    void whereItIsThereAndWorksItIsUsedUnlessTheProcessorIsAskedFor() {
        assertTrue(check(true, WORKS).uses(DeviceChoice.AUTO));
        assertTrue(check(true, WORKS).uses(DeviceChoice.CUDA));
        assertFalse(check(true, WORKS).uses(DeviceChoice.CPU));
        assertEquals(2, warnings.size());
        warnings.forEach(w -> assertTrue(w.contains(DeviceChoice.CUDA_UNTRIED), w));
    }

    @Test
    void theProcessorIsUsedWithoutTryingCuda() {
        assertFalse(check(true, FAILS).uses(DeviceChoice.CPU));
        assertEquals(List.of(), warnings);
    }

    @Test
    void autoGoesOnWithTheProcessorAndWarnsOfExpectedAndFound() {
        assertFalse(check(true, FAILS).uses(DeviceChoice.AUTO));
        assertEquals(
                List.of(
                        "ONNX Runtime 1.29.0 has the CUDA provider but cannot use it: expected CUDA"
                                + " 12, cuDNN 9 and an NVIDIA driver, found CUDA 11, cuDNN 8. It"
                                + " says: libcublasLt.so.12: cannot open shared object file. The"
                                + " processor is used"),
                warnings);
    }

    @Test
    void cudaThatDoesNotWorkIsAnErrorWithExpectedAndFound() {
        String message =
                assertThrows(
                                OnnxEngineException.class,
                                () -> check(true, FAILS).uses(DeviceChoice.CUDA))
                        .getMessage();
        assertTrue(message.contains("expected CUDA 12, cuDNN 9 and an NVIDIA driver"), message);
        assertTrue(message.contains("found CUDA 11, cuDNN 8. It says: libcublasLt"), message);
        assertTrue(message.contains("Use device auto or cpu. "), message);
        assertTrue(message.contains(DeviceChoice.CUDA_UNTRIED), message);
        assertEquals(List.of(), warnings);
    }

    @Test
    void aBuildWithoutItIsAnErrorForCudaAndNothingForAuto() {
        assertFalse(check(false, WORKS).uses(DeviceChoice.AUTO));
        assertEquals(List.of(), warnings);
        String message =
                assertThrows(
                                OnnxEngineException.class,
                                () -> check(false, WORKS).uses(DeviceChoice.CUDA))
                        .getMessage();
        assertTrue(message.contains("onnxruntime_gpu:1.29.0"), message);
    }
}
