package io.agentprm.engine.djl;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.pytorch.jni.JniUtils;
import io.agentprm.lm.testing.OwnJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is settled once in a process, or missing from it, each in a process of its own. */
class ProcessTest {
    @TempDir Path cache;

    /** Opens the engine twice. */
    static final class TwoSettings {
        private TwoSettings() {}

        public static void main(String[] args) {
            DjlEngine.open(DjlConfig.defaults().withThreads(1)).close();
            DjlEngine.open(DjlConfig.defaults().withThreads(3)).close();
            System.out.println("threads: " + JniUtils.getNumThreads());
            DjlEngine.open(DjlConfig.defaults().withThreads(1)).close();
        }
    }

    @Test
    void theFirstNumberOfThreadsHoldsAndAnotherOneIsWarnedAbout() {
        String printed = OwnJvm.run(TwoSettings.class, jar -> true, "-Dai.djl.offline=true");
        assertTrue(printed.lines().anyMatch("threads: 1"::equals), printed);
        String warning =
                "PyTorch runs with 1 threads already; the setting 3 has no effect in this process";
        assertTrue(printed.contains(warning), printed);
        assertFalse(printed.contains("the setting 1 has"), printed);
    }

    /** Opens the engine and prints what it says. */
    static final class Opened {
        private Opened() {}

        public static void main(String[] args) {
            try {
                DjlEngine.open(DjlConfig.defaults().withThreads(1)).close();
                System.out.println("opened");
            } catch (DjlEngineException e) {
                System.out.println("refused: " + e.getMessage());
            }
        }
    }

    /** Nothing is fetched: the cache of libraries is empty, and stays so. */
    @Test
    void aMissingNativeLibraryIsNamedWithWhatToAdd() {
        String printed =
                OwnJvm.run(
                        Opened.class,
                        jar -> !jar.startsWith("pytorch-native"),
                        "-DDJL_CACHE_DIR=" + cache,
                        "-DENGINE_CACHE_DIR=" + cache);
        assertTrue(
                printed.contains("refused: PyTorch's native library could not be loaded ("),
                printed);
        assertTrue(printed.contains("ai.djl.pytorch:pytorch-native-cpu:2.7.1"), printed);
        assertTrue(printed.contains("PYTORCH_LIBRARY_PATH"), printed);
        assertTrue(
                printed.contains("Nothing is downloaded unless -Dai.djl.offline=false"), printed);
    }
}
