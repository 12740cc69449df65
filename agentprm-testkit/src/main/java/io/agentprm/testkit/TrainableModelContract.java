package io.agentprm.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.ContinuationRequest;
import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.api.lm.UpdateReport;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every {@link TrainableModel} promises, whatever engine it runs on. Extend it and open a
 * small model with a score head and random weights; ids 3 to 9 of its vocabulary must be ordinary
 * tokens.
 */
public abstract class TrainableModelContract {
    private static final double TEMPERATURE = 0.7;
    private static final Channel LOG_PROB = Channel.logProb(TEMPERATURE);
    private static final Set<Channel> CHANNELS = Set.of(LOG_PROB, Channel.SCORE);

    private TrainableModel model;

    /** A model with the same weights at every call. */
    protected abstract TrainableModel openModel();

    /** How far numbers of different batch plans may lie apart. */
    protected double tolerance() {
        return 2e-4;
    }

    @BeforeEach
    final void open() {
        model = openModel();
    }

    @AfterEach
    final void close() {
        model.close();
    }

    private int[] prompt(int... tokens) {
        int[] prompt = new int[tokens.length + 1];
        prompt[0] = model.tokenizer().beginOfSequence();
        System.arraycopy(tokens, 0, prompt, 1, tokens.length);
        return prompt;
    }

    private static int[] join(int[] first, int[] second) {
        int[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** A row of its own for a continuation: supervised, and scored at its end. */
    private static TokenTree alone(int[] before, int[] continuation) {
        int[] tokens = join(before, continuation);
        boolean[] supervised = new boolean[tokens.length];
        Arrays.fill(supervised, before.length, tokens.length, true);
        return TokenTree.trunk(TokenSegment.of(tokens, supervised, new int[] {tokens.length - 1}));
    }

    private static TokenSegment wanted(int... tokens) {
        boolean[] all = new boolean[tokens.length];
        Arrays.fill(all, true);
        return TokenSegment.of(tokens, all, new int[] {tokens.length - 1});
    }

    private void assertSame(ModelOutputs a, int rowA, int segmentA, ModelOutputs b, int rowB) {
        for (Channel channel : CHANNELS) {
            assertArrayEquals(b.at(channel, rowB, 0), a.at(channel, rowA, segmentA), tolerance());
        }
    }

    @Test
    final void aBranchEqualsARowOfItsOwnWhereverItForks() {
        int[] trunk = prompt(3, 4, 5, 6);
        int[] first = {7, 8};
        int[] second = {8};
        int[] third = {4, 9, 3};
        TokenTree tree =
                TokenTree.trunk(TokenSegment.context(trunk))
                        .withBranch(wanted(first), trunk.length)
                        .withBranch(wanted(second), 2)
                        .withBranch(wanted(third), 3);
        ModelOutputs together = model.evaluate(List.of(tree), CHANNELS);
        ModelOutputs apart =
                model.evaluate(
                        List.of(
                                alone(trunk, first),
                                alone(Arrays.copyOf(trunk, 2), second),
                                alone(Arrays.copyOf(trunk, 3), third)),
                        CHANNELS);
        for (int b = 0; b < 3; b++) {
            assertSame(together, 0, b + 1, apart, b);
        }
    }

    @Test
    final void aRowDoesNotDependOnWhatElseIsInTheBatch() {
        TokenTree row = alone(prompt(3, 4), new int[] {5, 6});
        ModelOutputs single = model.evaluate(List.of(row), CHANNELS);
        ModelOutputs batched =
                model.evaluate(
                        List.of(
                                alone(prompt(9, 8, 7, 6, 5, 4), new int[] {3, 4, 5}),
                                row,
                                alone(prompt(3), new int[] {9})),
                        CHANNELS);
        assertSame(batched, 1, 0, single, 0);
    }

    @Test
    final void laterTokensDoNotChangeEarlierOutputs() {
        int[] tokens = prompt(3, 4, 5);
        boolean[] supervised = {false, true, true, true};
        int[] marks = {1, 2};
        ModelOutputs before =
                model.evaluate(
                        List.of(TokenTree.trunk(TokenSegment.of(tokens, supervised, marks))),
                        CHANNELS);
        tokens[3] = 9;
        ModelOutputs after =
                model.evaluate(
                        List.of(TokenTree.trunk(TokenSegment.of(tokens, supervised, marks))),
                        CHANNELS);
        assertArrayEquals(
                before.at(Channel.SCORE, 0, 0), after.at(Channel.SCORE, 0, 0), tolerance());
        for (int i = 0; i < 2; i++) {
            assertEquals(before.at(LOG_PROB, 0, 0)[i], after.at(LOG_PROB, 0, 0)[i], tolerance());
        }
    }

    @Test
    final void scoresOfContinuationsAreThoseOfRows() {
        List<int[]> continuations = List.of(new int[] {5}, new int[] {6, 7, 8});
        double[] scores =
                model.score(
                                List.of(
                                        new ContinuationRequest(
                                                prompt(3, 4), continuations, Optional.of("c"))))
                        .get(0);
        model.release("c");
        ModelOutputs rows =
                model.evaluate(
                        continuations.stream().map(c -> alone(prompt(3, 4), c)).toList(), CHANNELS);
        for (int i = 0; i < 2; i++) {
            assertEquals(rows.at(Channel.SCORE, i, 0)[0], scores[i], tolerance());
        }
    }

    private List<Generation> generate(int samples, int limit, String conversation, int... tokens) {
        GenerationRequest request =
                GenerationRequest.of(
                        prompt(tokens),
                        samples,
                        Sampling.temperature(TEMPERATURE, limit),
                        RandomSource.of(5));
        return model.generate(List.of(request.in(conversation))).get(0);
    }

    @Test
    final void sampledLogProbabilitiesAreThoseOfARow() {
        for (Generation generation : generate(4, 6, "g", 3, 4, 5)) {
            int[] ids = generation.tokens().ids();
            assertEquals(TEMPERATURE, generation.tokens().temperature());
            assertEquals(
                    generation.stopped(), ids[ids.length - 1] == model.tokenizer().endOfTurn());
            assertTrue(generation.stopped() || ids.length == 6);
            double[] row =
                    model.evaluate(List.of(alone(prompt(3, 4, 5), ids)), CHANNELS)
                            .at(LOG_PROB, 0, 0);
            assertArrayEquals(row, generation.tokens().logProbs(), tolerance());
        }
        model.release("g");
    }

    @Test
    final void samplesDifferAndARerunRepeatsThem() {
        List<String> first = texts(generate(16, 4, "a", 3));
        assertTrue(first.stream().distinct().count() >= 2, first::toString);
        model.release("a");
        assertEquals(first, texts(generate(16, 4, "b", 3)));
        model.release("b");
    }

    @Test
    final void aKeptConversationContinuesLikeAFreshOne() {
        generate(2, 3, "kept", 3, 4);
        List<Generation> continued = generate(2, 3, "kept", 3, 4, 5, 6);
        model.release("kept");
        List<Generation> fresh = generate(2, 3, "fresh", 3, 4, 5, 6);
        model.release("fresh");
        for (int i = 0; i < 2; i++) {
            assertArrayEquals(
                    fresh.get(i).tokens().logProbs(),
                    continued.get(i).tokens().logProbs(),
                    tolerance());
        }
    }

    private static List<String> texts(List<Generation> generations) {
        return generations.stream().map(g -> Arrays.toString(g.tokens().ids())).toList();
    }

    /** Minus the log-probabilities plus the squared scores: needs both channels. */
    private static final class BothChannels implements LossFunction {
        private final double factor;

        private BothChannels(double factor) {
            this.factor = factor;
        }

        @Override
        public Set<Channel> channels() {
            return CHANNELS;
        }

        @Override
        public double normalizer(List<TrainingRow> batch) {
            return batch.size();
        }

        @Override
        public Value evaluate(List<TrainingRow> rows, ModelOutputs outputs, double normalizer) {
            ModelOutputs gradient =
                    ModelOutputs.zeros(rows.stream().map(TrainingRow::tree).toList(), CHANNELS);
            double loss = 0;
            for (int r = 0; r < rows.size(); r++) {
                for (int s = 0; s < rows.get(r).tree().segments().size(); s++) {
                    double[] logProbs = outputs.at(LOG_PROB, r, s);
                    for (int i = 0; i < logProbs.length; i++) {
                        loss -= logProbs[i] / normalizer;
                        gradient.at(LOG_PROB, r, s)[i] = -factor / normalizer;
                    }
                    double[] scores = outputs.at(Channel.SCORE, r, s);
                    for (int i = 0; i < scores.length; i++) {
                        double error = scores[i] - 1;
                        loss += error * error / normalizer;
                        gradient.at(Channel.SCORE, r, s)[i] = factor * 2 * error / normalizer;
                    }
                }
            }
            return new Value(factor * loss, gradient, Map.of());
        }
    }

    private List<TrainingRow> batch() {
        TokenTree tree =
                TokenTree.trunk(TokenSegment.context(prompt(3, 4, 5)))
                        .withBranch(wanted(6, 7), 4)
                        .withBranch(wanted(8), 2);
        return List.of(
                TrainingRow.of(tree),
                TrainingRow.of(alone(prompt(3), new int[] {5, 6, 7, 8, 9})),
                TrainingRow.of(alone(prompt(9, 9), new int[] {3})).inGroup(1),
                TrainingRow.of(alone(prompt(9), new int[] {4})).inGroup(1));
    }

    private static UpdateOptions options(int microBatchTokens) {
        return new UpdateOptions(1e-2, 1, microBatchTokens);
    }

    @Test
    final void accumulationChangesNeitherLossNorGradientNorm() {
        UpdateReport whole = model.step(batch(), new BothChannels(1), options(1 << 16));
        try (TrainableModel other = openModel()) {
            UpdateReport cut = other.step(batch(), new BothChannels(1), options(1));
            assertEquals(whole.loss(), cut.loss(), tolerance() * Math.abs(whole.loss()));
            assertEquals(
                    whole.gradientNorm(),
                    cut.gradientNorm(),
                    10 * tolerance() * whole.gradientNorm());
        }
    }

    @Test
    final void trainingLowersTheLossAndLeavesSnapshotsAlone() {
        try (LanguageModel snapshot = model.snapshot()) {
            List<TokenTree> trees = batch().stream().map(TrainingRow::tree).toList();
            double[] before = snapshot.evaluate(trees, CHANNELS).at(LOG_PROB, 0, 1).clone();
            double first = model.step(batch(), new BothChannels(1), options(1 << 16)).loss();
            double last = first;
            for (int i = 0; i < 20; i++) {
                last = model.step(batch(), new BothChannels(1), options(1 << 16)).loss();
            }
            assertTrue(last < first, first + " to " + last);
            assertArrayEquals(before, snapshot.evaluate(trees, CHANNELS).at(LOG_PROB, 0, 1), 1e-12);
        }
    }

    @Test
    final void aStepThatIsNotFiniteChangesNothing() {
        List<TokenTree> trees = batch().stream().map(TrainingRow::tree).toList();
        double[] before = model.evaluate(trees, CHANNELS).at(LOG_PROB, 0, 1).clone();
        UpdateReport report = model.step(batch(), new BothChannels(Double.NaN), options(1 << 16));
        assertFalse(report.applied());
        assertArrayEquals(before, model.evaluate(trees, CHANNELS).at(LOG_PROB, 0, 1));
    }

    @Test
    final void aRestoredCheckpointGoesOnBitEqual(@TempDir Path directory) {
        try (TrainableModel resumed = openModel()) {
            List<Double> straight = new ArrayList<>();
            List<Double> again = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                if (i == 2) {
                    model.saveCheckpoint(directory);
                    resumed.restoreCheckpoint(directory);
                }
                double loss = model.step(batch(), new BothChannels(1), options(1 << 16)).loss();
                if (i >= 2) {
                    straight.add(loss);
                    again.add(resumed.step(batch(), new BothChannels(1), options(1 << 16)).loss());
                }
            }
            assertEquals(straight, again);
        }
    }
}
