package io.agentprm.engine.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import io.agentprm.lm.testing.AllocatedMemory;
import io.agentprm.lm.testing.TinyModels;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * Native memory is out of the garbage collector's sight: nothing but care keeps it flat. {@code
 * -Dagentprm.memory.runs=50000} makes the first test longer.
 */
@Tag("slow")
class NativeMemoryTest {
    private static final int CONVERSATIONS = 5;
    private static final int LONGEST = 60;
    private static final int LOADS = 20;
    private static final int COUNTED = 200;

    /** Less than 1 kB for each run. */
    private static final long ALLOWED = 2 << 20;

    @TempDir private Path directory;

    /** The model is loaded anew twenty times on the way. */
    @Test
    void manyRunsAndReloadsHoldNoMoreThanFew(TestReporter reporter) {
        AllocatedMemory.require();
        int runs = Integer.getInteger("agentprm.memory.runs", 2_500);
        Path checkpoint = TinyModels.create(directory, "model", 3);
        Random random = new Random(1);
        try (OnnxEngine engine = TestEngine.open()) {
            long held = engine.live();
            runs(engine, checkpoint, random, Math.max(500, runs / 10));
            AllocatedMemory memory = AllocatedMemory.now();
            for (int load = 0; load < LOADS; load++) {
                runs(engine, checkpoint, random, runs / LOADS);
                assertEquals(held, engine.live(), "objects of ONNX Runtime that a model left");
            }
            reporter.publishEntry(
                    runs + " runs: growth in bytes", Long.toString(memory.assertNotGrown(ALLOWED)));
        }
    }

    /** To the object: no run leaves as little as an empty tensor behind. */
    @Test
    void aRunLeavesNoObjectOfOnnxRuntimeBehind() {
        Path checkpoint = TinyModels.create(directory, "counted", 3);
        Random random = new Random(4);
        try (OnnxEngine engine = TestEngine.open();
                LanguageModel model = engine.load(checkpoint)) {
            long most = 0;
            for (int i = 0; i < 2 * COUNTED; i++) {
                work(model, random, i % CONVERSATIONS);
                if (i < COUNTED) {
                    most = Math.max(most, engine.live());
                } else {
                    assertTrue(engine.live() <= most, "run " + i + " holds " + engine.live());
                }
            }
        }
    }

    @Test
    void aClosedEngineHoldsNothing() {
        OnnxEngine engine = TestEngine.open();
        engine.load(TinyModels.create(directory, "closed", 3)).close();
        assertEquals(1, engine.live(), "the environment alone");
        engine.close();
        assertEquals(0, engine.live());
        engine.close();
        assertEquals(0, engine.live());
    }

    /** ONNX Runtime's environment is one for all, and stays for who still uses it. */
    @Test
    void aModelOutlivesItsEngine() {
        Random random = new Random(5);
        OnnxEngine engine = TestEngine.open();
        try (LanguageModel model = engine.load(TinyModels.create(directory, "left", 3))) {
            engine.close();
            work(model, random, 0);
        }
        assertEquals(0, engine.live());
    }

    private static void runs(OnnxEngine engine, Path checkpoint, Random random, int count) {
        try (LanguageModel model = engine.load(checkpoint)) {
            for (int i = 0; i < count; i++) {
                work(model, random, i % CONVERSATIONS);
            }
        }
    }

    /** The weights are 8 MB: one model left open would be seen. */
    @Test
    void manyLoadsHoldNoMoreThanFew() {
        AllocatedMemory.require();
        Path checkpoint = TinyModels.create(directory, "large", 4, TinyModels.config(256, 2, 512));
        Path exported = directory.resolve("exported");
        OnnxExport.write(checkpoint, exported, Precision.INT8);
        Random random = new Random(2);
        try (OnnxEngine engine = TestEngine.open()) {
            long held = engine.live();
            for (int i = 0; i < 10; i++) {
                reload(engine, checkpoint, random);
                reload(engine, exported, random);
            }
            AllocatedMemory memory = AllocatedMemory.now();
            for (int i = 0; i < LOADS; i++) {
                reload(engine, checkpoint, random);
                reload(engine, exported, random);
            }
            assertEquals(held, engine.live(), "objects of ONNX Runtime that models left");
            memory.assertNotGrown(ALLOWED);
        }
    }

    private static void reload(OnnxEngine engine, Path path, Random random) {
        try (LanguageModel model = engine.load(path)) {
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
}
