package io.agentprm.engine.djl;

import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.Device;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.testing.TinyModels;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Derivatives written by hand are those of autograd. */
class TapeTest {
    private static final Losses LOSS =
            Losses.of(
                    Map.of(
                            Channel.logProb(1),
                            -1.0,
                            Channel.entropy(0.7),
                            0.3,
                            Channel.SCORE,
                            0.7));

    @TempDir Path dir;

    @ParameterizedTest
    @CsvSource({
        "F32, 3, 40, false, 2e-6",
        "F32, 1, 5, false, 2e-6",
        "F32, 1, 5, true, 2e-6",
        "F32, 5, 33, true, 2e-6",
        "BF16, 3, 40, false, 1e-2",
        "BF16, 1, 5, true, 1e-2",
    })
    void gradientsAreThoseOfAutograd(
            Precision precision, int rows, int length, boolean qkNorm, double tolerance) {
        ModelConfig config =
                ModelConfig.builder()
                        .vocabSize(TinyModels.VOCABULARY)
                        .hiddenSize(48)
                        .intermediateSize(80)
                        .layers(3)
                        .heads(4)
                        .kvHeads(2)
                        .qkvBias(true)
                        .qkNorm(qkNorm)
                        .previousTokenEmbedding(true)
                        .tiedEmbeddings(true)
                        .scoreHead(true)
                        .scoreBias(true)
                        .contextLength(64)
                        .bosTokenId(1)
                        .padTokenId(0)
                        .eosTokenIds(List.of(2))
                        .build();
        TestEngine.open();
        ModelDirectory model = ModelDirectory.open(TinyModels.create(dir, "model", 3, config));
        List<TrainingRow> batch = batch(rows, length);
        Map<String, float[]> expected = gradients(model, precision, batch, false);
        Map<String, float[]> actual = gradients(model, precision, batch, true);
        expected.forEach(
                (name, values) -> {
                    double size = CheckedModel.norm(values);
                    assertTrue(size > 0, name + " has a gradient");
                    double off = CheckedModel.norm(difference(values, actual.get(name))) / size;
                    assertTrue(off < tolerance, name + " is off by " + off);
                });
    }

    private static List<TrainingRow> batch(int rows, int length) {
        Random random = new Random(7);
        boolean[] supervised = new boolean[length];
        Arrays.fill(supervised, 1, length, true);
        return Stream.generate(() -> random.ints(length, 3, TinyModels.VOCABULARY).toArray())
                .limit(rows)
                .map(tokens -> TokenSegment.of(tokens, supervised, new int[] {length - 1}))
                .map(segment -> TrainingRow.of(TokenTree.trunk(segment)))
                .toList();
    }

    private static Map<String, float[]> gradients(
            ModelDirectory model, Precision precision, List<TrainingRow> batch, boolean oneDnn) {
        try (Decoder decoder =
                Decoder.load(model, precision, Precision.F32, Device.cpu(), oneDnn)) {
            Trainer trainer = new Trainer(decoder, OptimizerOptions.adamW(0));
            trainer.accumulate(batch, LOSS, 1 << 20, new HashMap<>());
            return CheckedModel.byName(decoder, trainer.optimizer().gradients());
        }
    }

    private static float[] difference(float[] a, float[] b) {
        float[] out = a.clone();
        for (int i = 0; i < out.length; i++) {
            out[i] -= b[i];
        }
        return out;
    }
}
