package io.agentprm.engine.djl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.ndarray.NDArray;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.testing.TinyModels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What saves memory in training changes no gradient. */
class FrugalTrainingTest {
    private static final Losses EVERYTHING =
            Losses.of(
                    Map.of(
                            Channel.logProb(1),
                            -1.0,
                            Channel.logProb(0.7),
                            -0.5,
                            Channel.entropy(1),
                            0.3,
                            Channel.SCORE,
                            0.7));
    private static final Losses SCORES = Losses.of(Map.of(Channel.SCORE, 1.0));
    private static final int POSITION = TinyModels.VOCABULARY * Float.BYTES;

    @TempDir Path dir;
    private ModelDirectory model;

    @BeforeEach
    void create() {
        model = ModelDirectory.open(TinyModels.create(dir, "model", 5));
    }

    private record Result(double loss, List<float[]> gradients) {}

    private Result gradients(ModelDirectory of, Losses loss, boolean recompute, long logitBytes) {
        try (Decoder decoder = TestEngine.open().decoder(of)) {
            decoder.boundLogits(logitBytes);
            Trainer trainer = new Trainer(decoder, OptimizerOptions.adamW(0), recompute);
            double value = trainer.accumulate(batch(), loss, 1 << 20, new HashMap<>());
            List<float[]> out = new ArrayList<>();
            for (NDArray gradient : trainer.optimizer().gradients()) {
                out.add(gradient.toFloatArray());
            }
            trainer.optimizer().clear();
            return new Result(value, out);
        }
    }

    /** Two rows of different length, one of them with a branch. */
    private static List<TrainingRow> batch() {
        Random random = new Random(3);
        return List.of(
                TrainingRow.of(
                        TokenTree.trunk(segment(random, 14, 1))
                                .withBranch(segment(random, 5, 0), 9)),
                TrainingRow.of(TokenTree.trunk(segment(random, 7, 1))));
    }

    private static TokenSegment segment(Random random, int length, int first) {
        boolean[] supervised = new boolean[length];
        Arrays.fill(supervised, first, length, true);
        return TokenSegment.of(
                random.ints(length, 3, TinyModels.VOCABULARY).toArray(),
                supervised,
                new int[] {length - 1});
    }

    private static void assertSame(Result expected, Result actual) {
        assertEquals(expected.loss(), actual.loss(), 1e-5);
        assertEquals(expected.gradients().size(), actual.gradients().size());
        double largest = 0;
        for (int i = 0; i < expected.gradients().size(); i++) {
            float[] e = expected.gradients().get(i);
            float norm = 0;
            for (float value : e) {
                norm = Math.max(norm, Math.abs(value));
            }
            largest = Math.max(largest, norm);
            assertArrayEquals(e, actual.gradients().get(i), 1e-5f * (1 + norm), "weight " + i);
        }
        assertTrue(largest > 0.01, "there is something to compare");
    }

    @Test
    void layersComputedAgainGiveTheSameGradients() {
        Result whole = gradients(model, EVERYTHING, false, 1L << 30);
        assertSame(whole, gradients(model, EVERYTHING, true, 1L << 30));
    }

    @Test
    void logitsInPiecesGiveTheSameGradients() {
        Result whole = gradients(model, EVERYTHING, false, 1L << 30);
        assertSame(whole, gradients(model, EVERYTHING, false, 5 * POSITION));
        assertSame(whole, gradients(model, EVERYTHING, true, 1));
    }

    @Test
    void aLossOfScoresAloneNeedsNoLogits() {
        Result whole = gradients(model, SCORES, false, 1L << 30);
        assertSame(whole, gradients(model, SCORES, true, 1));
    }

    /** And the same as where nothing is computed again: a mask follows from its place. */
    @Test
    void layersComputedAgainDropWhatTheyDroppedTheFirstTime() {
        ModelDirectory adapter =
                ModelDirectory.open(
                        LoraModels.adapter(
                                dir.resolve("adapter"),
                                LoraModels.base(dir),
                                LoraModels.lora(0.4, LoraModels.ALL),
                                true,
                                7));
        Result whole = gradients(adapter, EVERYTHING, false, 1L << 30);
        assertSame(whole, gradients(adapter, EVERYTHING, true, 1L << 30));
        assertSame(whole, gradients(adapter, EVERYTHING, false, 1));
    }
}
