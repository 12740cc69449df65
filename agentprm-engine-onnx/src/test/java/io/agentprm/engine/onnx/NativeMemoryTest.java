package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Native memory is out of the garbage collector's sight: nothing but care keeps it flat. */
@Tag("slow")
class NativeMemoryTest {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final int CONVERSATIONS = 5;
    private static final int LONGEST = 60;

    /** What the JVM itself may take: compiled code, class data, what its heap has promoted. */
    private static final long SLACK = 40L << 20;

    @TempDir private Path directory;

    @Test
    void manyRunsHoldNoMoreThanFew() throws IOException {
        assumeTrue(Files.isReadable(STATUS), "resident memory is read from " + STATUS);
        try (LanguageModel model =
                TinyModels.engine().load(TinyModels.create(directory, "model", 3))) {
            Random random = new Random(1);
            for (int i = 0; i < 500; i++) {
                work(model, random, i % CONVERSATIONS);
            }
            long before = resident();
            for (int i = 0; i < 2_500; i++) {
                work(model, random, i % CONVERSATIONS);
            }
            assertFlat(before);
        }
    }

    /** The weights are 8 MB, so that 20 models left open would exceed the slack several times. */
    @Test
    void manyLoadsHoldNoMoreThanFew() throws IOException {
        assumeTrue(Files.isReadable(STATUS), "resident memory is read from " + STATUS);
        Path checkpoint = TinyModels.create(directory, "large", 4, TinyModels.config(256, 2, 512));
        Path exported = directory.resolve("exported");
        OnnxExport.write(checkpoint, exported, Precision.INT8);
        Random random = new Random(2);
        for (int i = 0; i < 10; i++) {
            reload(checkpoint, random);
            reload(exported, random);
        }
        long before = resident();
        for (int i = 0; i < 20; i++) {
            reload(checkpoint, random);
            reload(exported, random);
        }
        assertFlat(before);
    }

    private static void reload(Path path, Random random) {
        try (LanguageModel model = TinyModels.engine().load(path)) {
            work(model, random, 0);
        }
    }

    /** A reply, every second time scores and log-probabilities, and now and then an end. */
    private static void work(LanguageModel model, Random random, int number) {
        String conversation = "c" + number;
        int[] state = tokens(random);
        model.generate(
                List.of(
                        GenerationRequest.of(
                                        state,
                                        1 + random.nextInt(3),
                                        Sampling.temperature(1, 1 + random.nextInt(4)),
                                        RandomSource.of(random.nextInt()))
                                .in(conversation)));
        if (random.nextBoolean()) {
            model.score(
                    List.of(
                            new ContinuationRequest(
                                    state,
                                    List.of(tokens(random), tokens(random)),
                                    Optional.of(conversation))));
            model.evaluate(
                    List.of(
                            TokenTree.trunk(TokenSegment.context(state))
                                    .withBranch(TokenSegment.supervised(tokens(random)), 1)),
                    Set.of(Channel.logProb(1)));
        }
        if (random.nextInt(5) == 0) {
            model.release(conversation);
        }
    }

    private static int[] tokens(Random random) {
        return random.ints(2 + random.nextInt(LONGEST), 3, TinyModels.VOCABULARY).toArray();
    }

    private static void assertFlat(long before) throws IOException {
        long grown = resident() - before;
        assertTrue(grown < SLACK, () -> "resident memory grew by " + (grown >> 10) + " KiB");
    }

    /** The heap's young pages count both times, whether the work has touched them yet or not. */
    private static long resident() throws IOException {
        for (long left = Runtime.getRuntime().totalMemory(); left > 0; left -= 1 << 20) {
            Reference.reachabilityFence(new byte[1 << 20]);
        }
        System.gc();
        return Files.readAllLines(STATUS).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                .findFirst()
                .orElseThrow();
    }
}
