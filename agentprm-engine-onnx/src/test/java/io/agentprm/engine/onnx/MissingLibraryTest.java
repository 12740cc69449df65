package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.lm.testing.OwnJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A native library that does not load is named with the artefact that holds one that does. */
class MissingLibraryTest {
    @TempDir private Path directory;

    /** Opens the engine and prints what it says. */
    static final class Opened {
        private Opened() {}

        public static void main(String[] args) {
            try {
                OnnxEngine.open(OnnxConfig.defaults().withThreads(1)).close();
                System.out.println("opened");
            } catch (OnnxEngineException e) {
                System.out.println("refused: " + e.getMessage());
            }
        }
    }

    @Test
    void aLibraryThatCannotBeLoadedIsNamedWithItsReason() throws IOException {
        String name = System.mapLibraryName("onnxruntime");
        Files.writeString(directory.resolve(name), "no library");
        String printed =
                OwnJvm.run(Opened.class, jar -> true, "-Donnxruntime.native.path=" + directory);
        assertTrue(
                printed.contains("refused: ONNX Runtime's native library could not be loaded ("),
                printed);
        assertTrue(printed.contains(name), printed);
        assertTrue(printed.contains("com.microsoft.onnxruntime:onnxruntime holds"), printed);
    }

    /** It is unpacked there. */
    @Test
    void aPlaceForTemporaryFilesThatIsNotThereIsNamed() {
        Path place = directory.resolve("nowhere");
        String printed = OwnJvm.run(Opened.class, jar -> true, "-Djava.io.tmpdir=" + place);
        assertTrue(printed.contains("refused: ONNX Runtime's native library"), printed);
        assertTrue(printed.contains("unpacked below java.io.tmpdir, " + place), printed);
        assertFalse(printed.contains("(null)"), printed);
    }
}
