package io.agentprm.engine.djl;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.agentprm.lm.DeviceChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine without CUDA is told what it lacks. */
class CudaNeedsTest {
    @TempDir Path dir;

    @Test
    void nothingSetIsSaidThingByThing() {
        String text = new CudaNeeds("2.7.1", Map.of(), dir.resolve("version")).describe("2.7.1");
        assertTrue(text.contains("found: none (" + dir.resolve("version") + " is absent)"), text);
        assertTrue(text.contains("expected: libtorch 2.7.1+cu128, found: 2.7.1 for the pro"), text);
        assertTrue(text.contains("PYTORCH_VERSION=2.7.1, found: not set"), text);
        assertTrue(text.contains("PYTORCH_FLAVOR=cu128, found: not set"), text);
    }

    @Test
    void whatIsThereIsNamedWithItsVersion() throws IOException {
        Path driver =
                Files.writeString(
                        dir.resolve("version"), "NVRM version:  NVIDIA  570.86.15\nGCC 13\n");
        Map<String, String> environment =
                Map.of(
                        "PYTORCH_LIBRARY_PATH", dir.toString(),
                        "PYTORCH_VERSION", "2.6.0",
                        "PYTORCH_FLAVOR", "cu124");
        CudaNeeds needs = new CudaNeeds("2.7.1", environment, driver);
        String without = needs.describe("2.6.0");
        assertTrue(without.contains("found: NVRM version: NVIDIA 570.86.15;"), without);
        assertTrue(without.contains("found: 2.6.0 for the processor"), without);
        assertTrue(without.contains(dir + " has no libtorch_cuda.so"), without);
        assertTrue(without.contains("PYTORCH_VERSION=2.7.1, found: 2.6.0"), without);
        assertTrue(without.contains("PYTORCH_FLAVOR=cu128, found: cu124"), without);
        Files.createFile(dir.resolve("libtorch_cuda.so"));
        assertFalse(needs.describe("2.6.0").contains("for the processor"));
    }

    @Test
    void askingForCudaWithoutItSaysExpectedAndFound() {
        assumeFalse(Files.exists(Path.of("/proc/driver/nvidia/version")), "there is a GPU");
        DjlConfig settings = DjlConfig.defaults().withThreads(1).withDevice(DeviceChoice.CUDA);
        DjlEngineException e =
                assertThrows(DjlEngineException.class, () -> DjlEngine.open(settings));
        assertTrue(e.getMessage().contains("expected: libtorch 2.7.1+cu128"), e.getMessage());
    }
}
