package io.agentprm.engine.djl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import io.agentprm.lm.testing.AllocatedMemory;
import io.agentprm.lm.testing.TinyModels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Native memory is out of the garbage collector's sight: nothing but care keeps it flat. */
@Tag("slow")
class NativeMemoryTest {
    /** Of 20 training steps and 20 generations each. */
    private static final int BLOCKS = 100;

    private static final int WARM_UP = 25;

    /** Less than 1 kB for each step and each generation between. */
    private static final long ALLOWED = 2 << 20;

    private static final int IN_BLOCK = 20;
    private static final int CONVERSATIONS = 5;
    private static final int LONGEST = 60;

    private static final Losses LOSS =
            Losses.of(Map.of(Channel.logProb(1), -1.0, Channel.entropy(1), 0.1));

    @TempDir Path dir;

    @Test
    void trainingAndGenerationHoldNoMoreAfterManyRoundsThanAfterFew() {
        AllocatedMemory.require();
        try (DjlTrainableModel model =
                (DjlTrainableModel)
                        TestEngine.open()
                                .loadTrainable(
                                        TinyModels.create(dir, "model", 3),
                                        OptimizerOptions.adamW(0))) {
            Random random = new Random(1);
            int block = 0;
            while (block < WARM_UP) {
                work(model, random, block++);
            }
            int arrays = arrays(model);
            AllocatedMemory memory = AllocatedMemory.now();
            while (block < BLOCKS) {
                work(model, random, block++);
            }
            assertEquals(arrays, arrays(model), "live native arrays");
            memory.assertNotGrown(ALLOWED);
        }
    }

    private static void work(DjlTrainableModel model, Random random, int block) {
        for (int i = 0; i < IN_BLOCK; i++) {
            train(model, random);
        }
        int[][] states = new int[CONVERSATIONS][0];
        for (int i = 0; i < IN_BLOCK; i++) {
            int c = i % CONVERSATIONS;
            states[c] = generate(model, random, join(states[c], tokens(random)), "c" + c);
        }
        for (int c = block % 2; c < CONVERSATIONS; c++) {
            model.release("c" + c);
        }
    }

    private static void train(DjlTrainableModel model, Random random) {
        List<TrainingRow> rows = new ArrayList<>();
        for (int r = 0; r <= random.nextInt(3); r++) {
            rows.add(TrainingRow.of(tree(random)));
        }
        model.step(rows, LOSS, new UpdateOptions(1e-3, 1, 1 + random.nextInt(300)));
    }

    /** A reply, and every second time scores of two others; the state with the reply. */
    private static int[] generate(
            DjlTrainableModel model, Random random, int[] state, String conversation) {
        GenerationRequest request =
                GenerationRequest.of(
                                state,
                                1 + random.nextInt(3),
                                Sampling.temperature(1, 1 + random.nextInt(8)),
                                RandomSource.of(random.nextInt()))
                        .in(conversation);
        int[] reply = model.generate(List.of(request)).get(0).get(0).tokens().ids();
        if (random.nextBoolean()) {
            model.score(
                    List.of(
                            new ContinuationRequest(
                                    state,
                                    List.of(tokens(random), tokens(random)),
                                    Optional.of(conversation))));
        }
        return join(state, reply);
    }

    private static int[] join(int[] a, int[] b) {
        int[] out = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, out, a.length, b.length);
        return out;
    }

    private static TokenTree tree(Random random) {
        TokenTree tree = TokenTree.trunk(segment(random));
        int length = tree.segment(0).length();
        return random.nextBoolean()
                ? tree
                : tree.withBranch(segment(random), length).withBranch(segment(random), 1);
    }

    private static TokenSegment segment(Random random) {
        int[] ids = tokens(random);
        boolean[] supervised = new boolean[ids.length];
        for (int i = 1; i < ids.length; i++) {
            supervised[i] = true;
        }
        return TokenSegment.of(ids, supervised, new int[] {ids.length - 1});
    }

    private static int[] tokens(Random random) {
        return random.ints(2 + random.nextInt(LONGEST), 3, TinyModels.VOCABULARY).toArray();
    }

    /** Of the whole process, without caches, which come and go. */
    private static int arrays(DjlTrainableModel model) {
        for (int c = 0; c < CONVERSATIONS; c++) {
            model.release("c" + c);
        }
        return model.decoder().manager().getParentManager().getManagedArrays().size();
    }
}
