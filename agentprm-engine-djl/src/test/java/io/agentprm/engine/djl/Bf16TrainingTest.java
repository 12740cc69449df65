package io.agentprm.engine.djl;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.testing.TinyModels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Loss curves on a language in which a token follows from the two before it, 15 % being noise.
 * Curves are means over pieces of 20 steps; noise is how far float32 runs that differ in initial
 * weights and data lie apart.
 */
@Tag("slow")
class Bf16TrainingTest {
    private static final int SEEDS = 4;
    private static final int STEPS = 200;
    private static final int PIECE = 20;
    private static final int WORDS = 30;
    private static final double RATE = 3e-3;

    @TempDir Path dir;

    @Test
    void lossFollowsThatOfFloat32WithinTheNoise() {
        double[][] exact = new double[SEEDS][];
        double[][] coarse = new double[SEEDS][];
        double[][] slower = new double[SEEDS][];
        for (int seed = 0; seed < SEEDS; seed++) {
            Path model = TinyModels.create(dir, "model" + seed, seed, config());
            exact[seed] = curve(model, seed, Precision.F32, RATE);
            coarse[seed] = curve(model, seed, Precision.BF16, RATE);
            slower[seed] = curve(model, seed, Precision.F32, 0.5 * RATE);
        }
        String curves =
                "f32 %s, bf16 %s, half the rate %s, noise %s"
                        .formatted(
                                Arrays.toString(mean(exact)),
                                Arrays.toString(mean(coarse)),
                                Arrays.toString(mean(slower)),
                                Arrays.toString(noise(exact)));
        assertTrue(mean(exact)[STEPS / PIECE - 1] < 0.7 * mean(exact)[0], "nothing learned");
        assertTrue(distance(exact, coarse) < 1, curves);
        assertTrue(distance(exact, slower) > 1, "the measure is blind: " + curves);
    }

    private static ModelConfig config() {
        return ModelConfig.builder()
                .vocabSize(TinyModels.VOCABULARY)
                .hiddenSize(64)
                .intermediateSize(128)
                .layers(2)
                .heads(4)
                .contextLength(64)
                .bosTokenId(1)
                .padTokenId(0)
                .eosTokenIds(List.of(2))
                .build();
    }

    private static double[] curve(Path directory, int seed, Precision precision, double rate) {
        DjlConfig settings = DjlConfig.defaults().withThreads(1).withPrecision(precision);
        double[] pieces = new double[STEPS / PIECE];
        try (TrainableModel model =
                DjlEngine.open(settings).loadTrainable(directory, OptimizerOptions.adamW(0))) {
            Random random = new Random(seed);
            for (int step = 0; step < STEPS; step++) {
                double loss =
                        model.step(batch(random), new Cross(), new UpdateOptions(rate, 1, 1 << 16))
                                .loss();
                pieces[step / PIECE] += loss / PIECE;
            }
        }
        return pieces;
    }

    private static List<TrainingRow> batch(Random random) {
        List<TrainingRow> rows = new ArrayList<>();
        for (int r = 0; r < 16; r++) {
            int[] words = new int[24];
            for (int t = 0; t < words.length; t++) {
                words[t] =
                        t < 2 || random.nextDouble() < 0.15
                                ? random.nextInt(WORDS)
                                : (words[t - 1] + 7 * (words[t - 2] % 3)) % WORDS;
            }
            int[] ids = Arrays.stream(words).map(w -> 3 + w).toArray();
            boolean[] supervised = new boolean[ids.length];
            Arrays.fill(supervised, 2, ids.length, true);
            rows.add(TrainingRow.of(TokenTree.trunk(TokenSegment.of(ids, supervised, new int[0]))));
        }
        return rows;
    }

    /** Cross entropy of the supervised tokens, in nats a token. */
    private record Cross() implements LossFunction {
        private static final Channel LOG_PROB = Channel.logProb(1);

        @Override
        public Set<Channel> channels() {
            return Set.of(LOG_PROB);
        }

        @Override
        public double normalizer(List<TrainingRow> batch) {
            return batch.stream().mapToInt(r -> r.tree().segment(0).length() - 2).sum();
        }

        @Override
        public Value evaluate(List<TrainingRow> rows, ModelOutputs outputs, double normalizer) {
            ModelOutputs gradient =
                    ModelOutputs.zeros(rows.stream().map(TrainingRow::tree).toList(), channels());
            double loss = 0;
            for (int r = 0; r < rows.size(); r++) {
                loss -= Arrays.stream(outputs.at(LOG_PROB, r, 0)).sum() / normalizer;
                Arrays.fill(gradient.at(LOG_PROB, r, 0), -1 / normalizer);
            }
            return new Value(loss, gradient, Map.of());
        }
    }

    /** Largest distance of mean curves, in units of the noise. */
    private static double distance(double[][] exact, double[][] other) {
        double[] noise = noise(exact);
        double[] a = mean(exact);
        double[] b = mean(other);
        double largest = 0;
        for (int i = 0; i < noise.length; i++) {
            largest = Math.max(largest, Math.abs(a[i] - b[i]) / noise[i]);
        }
        return largest;
    }

    private static double[] mean(double[][] curves) {
        double[] out = new double[curves[0].length];
        for (double[] curve : curves) {
            for (int i = 0; i < out.length; i++) {
                out[i] += curve[i] / curves.length;
            }
        }
        return out;
    }

    /** Standard deviation over seeds, piece by piece. */
    private static double[] noise(double[][] curves) {
        double[] mean = mean(curves);
        double[] out = new double[mean.length];
        for (int i = 0; i < out.length; i++) {
            double squares = 0;
            for (double[] curve : curves) {
                squares += (curve[i] - mean[i]) * (curve[i] - mean[i]);
            }
            out[i] = Math.sqrt(squares / (curves.length - 1));
        }
        return out;
    }
}
