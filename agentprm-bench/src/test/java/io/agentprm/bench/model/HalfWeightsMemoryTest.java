package io.agentprm.bench.model;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import io.agentprm.bench.measure.ProcessMemory;
import io.agentprm.engine.djl.DjlConfig;
import io.agentprm.engine.djl.DjlEngine;
import io.agentprm.engine.djl.Precision;
import io.agentprm.lm.checkpoint.ModelConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Weights in bfloat16 are widened for a product, but never all of a matrix at once. */
class HalfWeightsMemoryTest {
    private static final int TOKENS = 1 << 16;
    private static final int WIDTH = 512;

    /** Of the largest matrix in float32. */
    private static final long WIDE = 4L * TOKENS * WIDTH;

    @TempDir private Path directory;

    @Test
    void generatingNeedsNoFloat32CopyOfTheLargestMatrix() {
        assumeTrue(Files.isWritable(Path.of("/proc/self/clear_refs")), "the peak can be reset");
        ModelConfig shape =
                PublishedShape.TINY.config().toBuilder()
                        .vocabSize(TOKENS)
                        .hiddenSize(WIDTH)
                        .build();
        Path path = RandomCheckpoint.write(directory.resolve("model"), shape);
        DjlConfig settings = DjlConfig.defaults().withThreads(1).withWeights(Precision.BF16);
        try (LanguageModel model = DjlEngine.open(settings).load(path)) {
            long before = ProcessMemory.resident();
            ProcessMemory.resetPeak();
            model.generate(
                    List.of(
                            GenerationRequest.of(
                                    new int[] {5, 6, 7},
                                    1,
                                    Sampling.temperature(1, 4),
                                    RandomSource.of(1))));
            long more = ProcessMemory.peak() - before;
            assertTrue(more < WIDE / 2, () -> (more >> 20) + " MiB more, " + (WIDE >> 20));
        }
    }
}
