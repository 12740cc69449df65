package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtProvider;
import io.agentprm.lm.DeviceChoice;
import org.junit.jupiter.api.Test;

class OnnxDeviceTest {
    @Test
    void cudaWithoutItsProviderIsAnErrorThatSaysWhatWasExpectedAndFound() {
        assumeFalse(
                OrtEnvironment.getAvailableProviders().contains(OrtProvider.CUDA),
                "this ONNX Runtime has the CUDA provider");
        OnnxConfig cuda = new OnnxConfig(DeviceChoice.CUDA, 1, Precision.F32, 1024, 64, 8192, 512);
        String message =
                assertThrows(OnnxEngineException.class, () -> OnnxEngine.open(cuda)).getMessage();
        assertTrue(message.contains("expected ONNX Runtime with the CUDA provider"), message);
        assertTrue(message.contains("found version"), message);
        assertTrue(message.contains("onnxruntime_gpu"), message);
    }

    @Test
    void theProcessorIsReportedWhereItIsUsed() {
        OnnxConfig cpu = new OnnxConfig(DeviceChoice.CPU, 1, Precision.F32, 1024, 64, 8192, 512);
        try (OnnxEngine engine = OnnxEngine.open(cpu)) {
            assertEquals("cpu", engine.device());
            assertEquals(
                    "ONNX Runtime " + OrtEnvironment.getEnvironment().getVersion(),
                    engine.library().orElseThrow());
        }
    }
}
