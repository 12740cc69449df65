package io.agentprm.bench.model;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.agentprm.engine.djl.DjlConfig;
import io.agentprm.engine.djl.DjlEngine;
import io.agentprm.lm.checkpoint.ModelConfig;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages of the heap that loading touches stay with the process: it touches few. */
class LoadingMemoryTest {
    private static final int TOKENS = 49_152;

    @TempDir private Path directory;

    @Test
    void loadingTakesOfTheHeapLittleMoreThanTheTextsOfTheVocabulary() {
        ModelConfig shape =
                PublishedShape.TINY.config().toBuilder().vocabSize(TOKENS).hiddenSize(64).build();
        Path model = RandomCheckpoint.write(directory.resolve("model"), shape);
        DjlEngine engine = DjlEngine.open(DjlConfig.defaults().withThreads(1));
        // Classes are loaded at the first time.
        engine.load(model).close();
        long before = allocated();
        engine.load(model).close();
        long bytes = allocated() - before;
        // It takes some 260 bytes a token; objects for rules and ids would take as much again.
        assertTrue(bytes < 340 * TOKENS, () -> bytes / TOKENS + " bytes a token");
    }

    private static long allocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    }
}
