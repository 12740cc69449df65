package io.agentprm.engine.djl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.testing.PublishedStyle;
import io.agentprm.lm.testing.TinyCheckpoint;
import io.agentprm.lm.testing.TinyCheckpoint.Stored;
import io.agentprm.lm.testing.TinyModels;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frozen weights in bfloat16: half the memory, and the numbers of a bfloat16 checkpoint. */
class HeldWeightsTest {
    private static final Channel LOG_PROB = Channel.logProb(1);
    private static final int[] TOKENS = new Random(4).ints(40, 3, TinyModels.VOCABULARY).toArray();

    @TempDir Path dir;

    private static DjlEngine engine(Precision held) {
        return DjlEngine.open(DjlConfig.defaults().withThreads(1).withWeights(held));
    }

    private static TokenTree row() {
        boolean[] targets = new boolean[TOKENS.length];
        Arrays.fill(targets, 1, targets.length, true);
        return TokenTree.trunk(TokenSegment.of(TOKENS, targets, new int[0]));
    }

    @ParameterizedTest
    @EnumSource(PublishedStyle.class)
    void aBfloat16CheckpointGivesTheSameNumbersFromHalfTheMemory(PublishedStyle style) {
        Path model = TinyCheckpoint.of(style).write(dir.resolve("m"), Stored.BF16, 1, false);
        try (LanguageModel wide = engine(Precision.F32).load(model);
                LanguageModel narrow = engine(Precision.BF16).load(model)) {
            assertArrayEquals(
                    wide.evaluate(List.of(row()), Set.of(LOG_PROB)).at(LOG_PROB, 0, 0),
                    narrow.evaluate(List.of(row()), Set.of(LOG_PROB)).at(LOG_PROB, 0, 0),
                    0);
            assertArrayEquals(drawn(wide), drawn(narrow));
        }
    }

    private static int[] drawn(LanguageModel model) {
        GenerationRequest request =
                GenerationRequest.of(TOKENS, 1, Sampling.temperature(1, 12), RandomSource.of(1));
        return model.generate(List.of(request)).get(0).get(0).tokens().ids();
    }

    @Test
    void matricesTakeTwoBytesAValueAndNormsFour() {
        Path path =
                TinyCheckpoint.of(PublishedStyle.QWEN_2)
                        .write(dir.resolve("m"), Stored.BF16, 1, false);
        ModelDirectory model = ModelDirectory.open(path);
        long vectors =
                model.config().tensors().stream()
                        .filter(t -> t.shape().rank() == 1)
                        .mapToLong(t -> t.shape().elements())
                        .sum();
        long all = model.config().parameters();
        try (Decoder wide = engine(Precision.F32).decoder(model);
                Decoder narrow = engine(Precision.BF16).decoder(model)) {
            assertEquals(4 * all, bytes(wide));
            assertEquals(2 * (all - vectors) + 4 * vectors, bytes(narrow));
        }
    }

    /** DJL does not know bfloat16, so libtorch is asked: 15 is its number, 6 that of float32. */
    private static long bytes(Decoder decoder) {
        String source =
                """
                  def format(self, x: Tensor) -> Tensor:
                    return torch.full([], torch.mul(1., ops.prim.dtype(x)))
                """;
        long bytes = 0;
        try (NDManager manager = decoder.manager().newSubManager();
                Script script = Script.load(manager, ScriptArchive.of(source))) {
            for (NDArray weight : decoder.weights()) {
                float format = script.call(manager, "format", false, weight).toFloatArray()[0];
                bytes += weight.size() * (format == 15 ? 2 : 4);
            }
        }
        return bytes;
    }

    @Test
    void weightsThatAreTrainedKeepTheDigitsOfFloat32() {
        Path model = TinyModels.create(dir, "model", 5);
        float[][] after = new float[2][];
        for (Precision held : Precision.values()) {
            Path saved = dir.resolve("saved " + held);
            try (var trained = engine(held).loadTrainable(model, OptimizerOptions.adamW(0))) {
                trained.save(saved);
            }
            try (var tensors = ModelDirectory.open(saved).openWeights()) {
                after[held.ordinal()] = tensors.toArray("model.embed_tokens.weight");
            }
        }
        assertArrayEquals(after[0], after[1]);
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void anAdapterOverABfloat16BaseGetsTheSameGradients(Precision products) {
        Path base =
                TinyCheckpoint.of(PublishedStyle.LLAMA_3)
                        .write(dir.resolve("base"), Stored.BF16, 1, false);
        ModelDirectory adapter =
                ModelDirectory.open(
                        LoraModels.adapter(
                                dir.resolve("adapter"),
                                ModelDirectory.open(base),
                                LoraModels.lora(0, LoraModels.ALL),
                                false,
                                7));
        List<float[]> wide = gradients(adapter, products, Precision.F32);
        List<float[]> narrow = gradients(adapter, products, Precision.BF16);
        assertTrue(wide.size() > 10);
        for (int i = 0; i < wide.size(); i++) {
            assertTrue(CheckedModel.norm(wide.get(i)) > 1e-3, "weight " + i + " has a gradient");
            assertArrayEquals(wide.get(i), narrow.get(i), 1e-5f, "weight " + i);
        }
    }

    private static List<float[]> gradients(
            ModelDirectory adapter, Precision products, Precision held) {
        DjlConfig settings =
                DjlConfig.defaults().withThreads(1).withPrecision(products).withWeights(held);
        try (Decoder decoder = DjlEngine.open(settings).decoder(adapter)) {
            Trainer trainer = new Trainer(decoder, OptimizerOptions.adamW(0), true);
            trainer.accumulate(
                    List.of(TrainingRow.of(row())),
                    Losses.of(Map.of(LOG_PROB, -1.0)),
                    1 << 20,
                    new HashMap<>());
            return trainer.optimizer().gradients().stream().map(NDArray::toFloatArray).toList();
        }
    }
}
