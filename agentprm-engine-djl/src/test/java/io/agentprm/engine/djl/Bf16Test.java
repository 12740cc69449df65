package io.agentprm.engine.djl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.testing.TinyModels;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stays in float32 where the products of a model are bfloat16. */
class Bf16Test {
    @TempDir Path dir;
    private ModelDirectory model;

    @BeforeEach
    void create() {
        model = ModelDirectory.open(TinyModels.create(dir, "model", 3));
    }

    private Decoder decoder(Precision precision) {
        return DjlEngine.open(DjlConfig.defaults().withThreads(1).withPrecision(precision))
                .decoder(model);
    }

    @Test
    void headsGiveTheNumbersOfFloat32ForTheSameHiddenStates() {
        try (Decoder exact = decoder(Precision.F32);
                Decoder coarse = decoder(Precision.BF16)) {
            for (String head : List.of("logits", "score")) {
                assertArrayEquals(head(exact, head), head(coarse, head), head);
            }
        }
    }

    private static float[] head(Decoder decoder, String head) {
        Random random = new Random(1);
        float[] values = new float[40 * decoder.config().hiddenSize()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        try (NDManager manager = decoder.manager().newSubManager()) {
            NDArray hidden = Decoder.create(manager, values, 40, decoder.config().hiddenSize());
            return decoder.script()
                    .call(manager, head, false, hidden, decoder.weightList(), List.of())
                    .toFloatArray();
        }
    }

    /**
     * AdamW's first step moves every weight that has a gradient by the learning rate, which is here
     * a thousandth of the distance between bfloat16 numbers at 1, where norms start. Weights kept
     * in bfloat16 would stay where they are, and learn less (docs/benchmarks.md, "bf16").
     */
    @Test
    void anUpdateTooSmallForBfloat16IsNotLost() {
        double rate = 4e-6;
        int[] ids = new Random(2).ints(20, 3, TinyModels.VOCABULARY).toArray();
        boolean[] supervised = new boolean[ids.length];
        Arrays.fill(supervised, 1, ids.length, true);
        TrainingRow row =
                TrainingRow.of(TokenTree.trunk(TokenSegment.of(ids, supervised, new int[0])));
        try (Decoder decoder = decoder(Precision.BF16)) {
            Trainer trainer = new Trainer(decoder, OptimizerOptions.adamW(0));
            trainer.step(
                    List.of(row),
                    Losses.of(Map.of(Channel.logProb(1), -1.0)),
                    new UpdateOptions(rate, 1, 1 << 20));
            CheckedModel.byName(decoder, decoder.trained())
                    .forEach(
                            (name, values) -> {
                                if (name.contains("norm")) {
                                    for (float value : values) {
                                        assertEquals(rate, Math.abs(value - 1), 0.1 * rate, name);
                                    }
                                }
                            });
        }
    }
}
