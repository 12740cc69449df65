package io.agentprm.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.api.lm.UpdateReport;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TabularModelTest {
    private static final double TEMPERATURE = 0.7;
    private static final Set<Channel> ALL =
            Set.of(
                    Channel.logProb(TEMPERATURE),
                    Channel.entropy(TEMPERATURE),
                    Channel.logProb(1),
                    Channel.SCORE);

    private final WordTokenizer tokenizer = WordTokenizer.of(List.of("a", "b", "c"));
    private final int a = tokenizer.id("a");
    private final int b = tokenizer.id("b");
    private final int c = tokenizer.id("c");

    /** Sum of sin(k + 1) times output k over all channels: a loss that needs every gradient. */
    private static final class EveryOutput implements LossFunction {
        @Override
        public Set<Channel> channels() {
            return ALL;
        }

        @Override
        public double normalizer(List<TrainingRow> batch) {
            return batch.size();
        }

        @Override
        public Value evaluate(List<TrainingRow> rows, ModelOutputs outputs, double normalizer) {
            List<TokenTree> trees = rows.stream().map(TrainingRow::tree).toList();
            ModelOutputs gradient = ModelOutputs.zeros(trees, ALL);
            double loss = 0;
            for (Channel channel : ALL) {
                for (int r = 0; r < trees.size(); r++) {
                    for (int s = 0; s < trees.get(r).segments().size(); s++) {
                        double[] values = outputs.at(channel, r, s);
                        for (int i = 0; i < values.length; i++) {
                            double weight =
                                    Math.sin(
                                                    channel.name().length()
                                                            + 2 * s
                                                            + i
                                                            + channel.temperature())
                                            / normalizer;
                            loss += weight * values[i];
                            gradient.at(channel, r, s)[i] = weight;
                        }
                    }
                }
            }
            return new Value(loss, gradient, Map.of("rows", (double) rows.size()));
        }
    }

    private TrainingRow row() {
        TokenTree tree =
                TokenTree.trunk(
                                TokenSegment.of(
                                        new int[] {1, a, b},
                                        new boolean[] {false, true, true},
                                        new int[] {1, 2}))
                        .withBranch(TokenSegment.supervised(c, 2), 2)
                        .withBranch(TokenSegment.scored(b, b), 3);
        return TrainingRow.of(tree);
    }

    @Test
    void gradientsOfAllChannelsAgreeWithFiniteDifferences() {
        TabularModel model = TabularModel.sgd(tokenizer);
        int[][] prefixes = {{1}, {1, a}, {1, a, b}, {1, a, c}, {1, a, b, b, b}, {1, a, b, b}};
        RandomSource random = RandomSource.of(3);
        for (int[] prefix : prefixes) {
            var generator = random.derive(prefix.length).derive(prefix[prefix.length - 1]);
            double[] logits = generator.generator().doubles(6, -1, 1).toArray();
            model.setLogits(prefix, logits);
            model.setScore(prefix, logits[0]);
        }
        List<TrainingRow> batch = List.of(row(), row());
        LossFunction loss = new EveryOutput();
        double step = 1e-6;
        for (int[] prefix : prefixes) {
            for (int token = 0; token < 6; token++) {
                double[] logits = model.logits(prefix);
                double analytic = logits[token];
                TabularModel trained = copy(model);
                trained.step(batch, loss, new UpdateOptions(1, Double.POSITIVE_INFINITY, 1 << 20));
                analytic -= trained.logits(prefix)[token];
                double[] up = logits.clone();
                double[] down = logits.clone();
                up[token] += step;
                down[token] -= step;
                model.setLogits(prefix, up);
                double above = lossOf(model, batch, loss);
                model.setLogits(prefix, down);
                double below = lossOf(model, batch, loss);
                model.setLogits(prefix, logits);
                assertEquals((above - below) / (2 * step), analytic, 1e-7);
            }
        }
    }

    private TabularModel copy(TabularModel model) {
        return new TabularModel(tokenizer, model.snapshotTable(), Optional.empty(), false);
    }

    private static double lossOf(TabularModel model, List<TrainingRow> batch, LossFunction loss) {
        List<TokenTree> trees = batch.stream().map(TrainingRow::tree).toList();
        return loss.evaluate(batch, model.evaluate(trees, ALL), loss.normalizer(batch)).loss();
    }

    @Test
    void aBranchSeesTheTrunkUpToItsForkOnly() {
        TabularModel model = TabularModel.sgd(tokenizer);
        model.setLogits(new int[] {1, a}, 0, 0, 0, 0, 0, 5);
        model.setScore(new int[] {1, a, b, b, b}, 7);
        ModelOutputs outputs = model.evaluate(List.of(row().tree()), ALL);
        double[] branch = outputs.at(Channel.logProb(1), 0, 1);
        assertEquals(5 - Math.log(5 + Math.exp(5)), branch[0], 1e-12);
        assertEquals(-Math.log(6), branch[1], 1e-12);
        assertEquals(7, outputs.at(Channel.SCORE, 0, 2)[0]);
        assertEquals(
                7,
                model.score(
                                List.of(
                                        new ContinuationRequest(
                                                new int[] {1, a, b},
                                                List.of(new int[] {b, b}),
                                                Optional.empty())))
                        .get(0)[0]);
    }

    @Test
    void microBatchesDoNotChangeTheStep() {
        TabularModel whole = TabularModel.sgd(tokenizer);
        TabularModel cut = TabularModel.sgd(tokenizer);
        List<TrainingRow> batch = List.of(row(), row(), row().inGroup(1), row().inGroup(1));
        UpdateReport one = whole.step(batch, new EveryOutput(), new UpdateOptions(1, 0.5, 1000));
        UpdateReport many = cut.step(batch, new EveryOutput(), new UpdateOptions(1, 0.5, 1));
        assertEquals(one.loss(), many.loss(), 1e-12);
        assertEquals(one.gradientNorm(), many.gradientNorm(), 1e-12);
        assertEquals(4.0, many.metrics().get("rows"));
        assertArrayEquals(whole.logits(1, a), cut.logits(1, a), 1e-12);
    }

    @Test
    void sampledLogProbabilitiesAreThoseOfTheUnconstrainedModel() {
        TabularModel model = TabularModel.sgd(tokenizer);
        GenerationRequest request =
                GenerationRequest.of(
                                new int[] {1, a},
                                40,
                                Sampling.temperature(TEMPERATURE, 3),
                                RandomSource.of(1))
                        .within(new WordConstraint(tokenizer, List.of("b", "c")));
        List<Generation> replies = model.generate(List.of(request)).get(0);
        assertEquals(40, replies.size());
        assertEquals(
                Set.of(b, c),
                Set.copyOf(replies.stream().map(r -> r.tokens().ids()[0]).distinct().toList()));
        for (Generation reply : replies) {
            assertTrue(reply.stopped());
            assertArrayEquals(
                    new double[] {-Math.log(6), -Math.log(6)}, reply.tokens().logProbs(), 1e-12);
        }
    }

    @Test
    void sampleFrequenciesFollowTheSoftmax() {
        TabularModel model = TabularModel.sgd(tokenizer);
        model.setLogits(new int[] {1}, -99, -99, -99, 0, Math.log(2), Math.log(5));
        List<Generation> replies =
                model.generate(
                                List.of(
                                        GenerationRequest.of(
                                                new int[] {1},
                                                8000,
                                                Sampling.temperature(1, 1),
                                                RandomSource.of(5))))
                        .get(0);
        double share = replies.stream().filter(r -> r.tokens().ids()[0] == c).count() / 8000.0;
        assertEquals(5 / 8.0, share, 0.02);
        assertFalse(replies.get(0).stopped());
    }

    @Test
    void aNonFiniteGradientChangesNothing() {
        TabularModel model = TabularModel.sgd(tokenizer);
        LossFunction broken =
                new LossFunction() {
                    @Override
                    public Set<Channel> channels() {
                        return Set.of(Channel.SCORE);
                    }

                    @Override
                    public double normalizer(List<TrainingRow> batch) {
                        return 1;
                    }

                    @Override
                    public Value evaluate(List<TrainingRow> rows, ModelOutputs out, double n) {
                        out.at(Channel.SCORE, 0, 0)[0] = Double.NaN;
                        return new Value(1, out, Map.of());
                    }
                };
        UpdateOptions options = new UpdateOptions(1, 1, 100);
        assertFalse(model.step(List.of(row()), broken, options).applied());
        assertEquals(0, model.scoreAt(1, a));
        assertThrows(
                TestkitException.class,
                () -> {
                    for (int i = 0; i < 10; i++) {
                        model.step(List.of(row()), broken, options);
                    }
                });
    }

    @Test
    void aRestoredCheckpointGoesOnBitEqual(@TempDir Path directory) {
        UpdateOptions options = new UpdateOptions(0.1, 1, 1000);
        TabularModel straight = TabularModel.adamW(tokenizer, OptimizerOptions.adamW(0.01));
        TabularModel resumed = TabularModel.adamW(tokenizer, OptimizerOptions.adamW(0.01));
        for (int i = 0; i < 4; i++) {
            if (i == 2) {
                straight.saveCheckpoint(directory);
                resumed.restoreCheckpoint(directory);
            }
            straight.step(List.of(row()), new EveryOutput(), options);
            if (i >= 2) {
                resumed.step(List.of(row()), new EveryOutput(), options);
            }
        }
        assertEquals(straight.weightsHash(), resumed.weightsHash());
    }

    @Test
    void aSnapshotStaysAsItWas() {
        TabularModel model = TabularModel.sgd(tokenizer);
        TabularModel snapshot = model.snapshot();
        long before = snapshot.weightsHash();
        model.step(List.of(row()), new EveryOutput(), new UpdateOptions(1, 1, 100));
        assertEquals(before, snapshot.weightsHash());
        assertNotEquals(before, model.weightsHash());
        assertThrows(
                TestkitException.class,
                () -> snapshot.step(List.of(row()), new EveryOutput(), new UpdateOptions(1, 1, 1)));
    }
}
