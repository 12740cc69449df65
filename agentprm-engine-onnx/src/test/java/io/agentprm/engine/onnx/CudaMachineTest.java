package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine says which major versions it has, of which a build of ONNX Runtime fits one. */
class CudaMachineTest {
    @TempDir private Path directory;

    @Test
    void majorVersionsAndDriverAreFound() throws IOException {
        Path cuda = Files.createDirectories(directory.resolve("cuda"));
        Path other = Files.createDirectories(directory.resolve("other"));
        Files.createFile(cuda.resolve("libcudart.so.11.8.89"));
        Files.createFile(cuda.resolve("libcudart.so"));
        Files.createFile(other.resolve("libcudart.so.13"));
        Files.createFile(other.resolve("libcudnn.so.9.1.0"));
        Files.createFile(other.resolve("libcudnn_ops.so.8"));
        Path driver =
                Files.writeString(
                        directory.resolve("version"), "NVRM version:  NVIDIA  570.86.15\nGCC\n");
        assertEquals(
                "CUDA 11 and 13, cuDNN 9, driver NVRM version: NVIDIA 570.86.15",
                new CudaMachine(driver, List.of(cuda, directory.resolve("none"), other))
                        .describe());
    }

    @Test
    void whatIsMissingIsNamedWithWhereItWasLookedFor() {
        String text = new CudaMachine(directory.resolve("version"), List.of(directory)).describe();
        assertEquals(
                "CUDA none (no libcudart.so.* in [%1$s]), cuDNN none (no libcudnn.so.* in [%1$s]),"
                                .formatted(directory)
                        + " driver none ("
                        + directory.resolve("version")
                        + " is absent)",
                text);
    }

    @Test
    void foldersOfTheLoaderComeBeforeTheUsualOnes() {
        String text =
                CudaMachine.here(Map.of("LD_LIBRARY_PATH", directory + ":" + directory)).describe();
        assertTrue(text.startsWith("CUDA "), text);
        if (text.contains("none (no libcudart")) {
            assertTrue(text.contains("in [" + directory + ", " + directory + ", /usr/"), text);
        }
    }
}
