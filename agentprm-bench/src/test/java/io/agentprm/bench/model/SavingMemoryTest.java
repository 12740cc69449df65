package io.agentprm.bench.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.agentprm.algos.loss.SftLoss;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.engine.djl.DjlConfig;
import io.agentprm.engine.djl.DjlEngine;
import io.agentprm.engine.djl.Precision;
import io.agentprm.lm.checkpoint.AdapterInitializer;
import io.agentprm.lm.checkpoint.ElementType;
import io.agentprm.lm.checkpoint.LoraConfig;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.WholeModel;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes from native memory to files and from files to files takes little of the heap. */
class SavingMemoryTest {
    @TempDir private Path directory;

    private static DjlEngine engine() {
        return DjlEngine.open(DjlConfig.defaults().withThreads(1).withWeights(Precision.F32));
    }

    /** Of 9 million parameters; most matrices are larger than the pieces that they pass in. */
    private Path model() {
        ModelConfig shape =
                PublishedShape.TINY.config().toBuilder()
                        .vocabSize(2048)
                        .hiddenSize(768)
                        .intermediateSize(1536)
                        .build();
        return RandomCheckpoint.write(directory.resolve("model"), shape);
    }

    private static TrainableModel trained(Path directory) {
        TrainableModel model = engine().loadTrainable(directory, OptimizerOptions.adamW(0));
        TokenSegment row =
                TokenSegment.of(
                        new int[] {3, 4, 5, 6},
                        new boolean[] {false, true, true, true},
                        new int[0]);
        model.step(
                List.of(TrainingRow.of(TokenTree.trunk(row))),
                new SftLoss(),
                new UpdateOptions(1e-3, 1, 100));
        return model;
    }

    private static long allocated(Runnable work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(thread);
        work.run();
        return threads.getThreadAllocatedBytes(thread) - before;
    }

    private static long size(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).mapToLong(f -> f.toFile().length()).sum();
        }
    }

    private static void assertLittle(long heap, Path written) throws IOException {
        long size = size(written);
        assertTrue(size > 4 * 8_000_000, () -> written + " has " + size + " bytes");
        assertTrue(heap < size / 4, () -> heap + " bytes of heap for " + size + " of " + written);
    }

    @Test
    void aModelIsSaved() throws IOException {
        Path saved = directory.resolve("saved");
        try (TrainableModel model = trained(model())) {
            assertLittle(allocated(() -> model.save(saved)), saved);
        }
    }

    @Test
    void aCheckpointOfTrainingIsSavedAndRestored() throws IOException {
        Path source = model();
        Path checkpoint = Files.createDirectory(directory.resolve("checkpoint"));
        Path again = Files.createDirectory(directory.resolve("again"));
        try (TrainableModel model = trained(source)) {
            assertLittle(allocated(() -> model.saveCheckpoint(checkpoint)), checkpoint);
        }
        try (TrainableModel other = engine().loadTrainable(source, OptimizerOptions.adamW(0))) {
            assertLittle(allocated(() -> other.restoreCheckpoint(checkpoint)), checkpoint);
            other.saveCheckpoint(again);
        }
        String file = "trainer.safetensors";
        assertEquals(-1, Files.mismatch(checkpoint.resolve(file), again.resolve(file)));
    }

    @Test
    void anAdapterIsMerged() throws IOException {
        Path base = model();
        Path adapter = directory.resolve("adapter");
        AdapterInitializer.create(
                ModelDirectory.open(base),
                adapter,
                LoraConfig.defaults(),
                false,
                1,
                List.of(Models.END));
        ModelDirectory adapted = ModelDirectory.open(adapter);
        Path merged = directory.resolve("merged");
        assertLittle(allocated(() -> WholeModel.write(adapted, merged, ElementType.F32)), merged);
    }
}
