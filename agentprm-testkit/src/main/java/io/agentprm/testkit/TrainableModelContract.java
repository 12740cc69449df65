package io.agentprm.testkit;

import io.agentprm.api.AgentPrmException;
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
 * tokens:
 *
 * <pre>{@code
 * class MyModelTest extends TrainableModelContract {
 *     @Override
 *     protected TrainableModel openModel() {
 *         return engine.loadTrainable(
 *                 Path.of("src/test/resources/tiny-model"), OptimizerOptions.adamW(0));
 *     }
 * }
 * }</pre>
 */
public abstract class TrainableModelContract {
    private static final double TEMPERATURE = 0.7;
    private static final Channel LOG_PROB = Channel.logProb(TEMPERATURE);
    private static final Set<Channel> CHANNELS = Set.of(LOG_PROB, Channel.SCORE);
    private static final int WHOLE = 1 << 16;
    private static final int STEPS = 20;
    private static final int MOST_BAD_STEPS = 100;
    private static final long GROUP = 1;

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

    private ModelOutputs evaluate(TokenTree row) {
        return model.evaluate(List.of(row), CHANNELS);
    }

    /** Both channels of a segment are those of a row that was evaluated alone. */
    private void near(Rule rule, ModelOutputs alone, ModelOutputs seen, int row, int segment) {
        for (Channel channel : CHANNELS) {
            rule.near(
                    alone.at(channel, 0, 0),
                    seen.at(channel, row, segment),
                    tolerance(),
                    "row " + row + ", segment " + segment + ", " + channel);
        }
    }

    @Test
    final void aBranchEqualsARowOfItsOwnWhereverItForks() {
        Rule rule =
                Rule.of(
                        "a branch of a row has the outputs of a row of its own that begins with the"
                                + " trunk up to its fork",
                        "let a branch attend to the trunk before its fork and to itself, with"
                                + " positions that go on from the fork");
        int[] trunk = prompt(3, 4, 5, 6);
        int[] forks = {trunk.length, 2, 3};
        int[][] branches = {{7, 8}, {8}, {4, 9, 3}};
        TokenTree tree = TokenTree.trunk(TokenSegment.context(trunk));
        for (int b = 0; b < branches.length; b++) {
            tree = tree.withBranch(wanted(branches[b]), forks[b]);
        }
        ModelOutputs together = evaluate(tree);
        for (int b = 0; b < branches.length; b++) {
            TokenTree own = alone(Arrays.copyOf(trunk, forks[b]), branches[b]);
            near(rule, evaluate(own), together, 0, b + 1);
        }
    }

    @Test
    final void aRowDoesNotDependOnWhatElseIsInTheBatch() {
        Rule rule =
                Rule.of(
                        "a row has the same outputs alone and in a batch",
                        "mask the padding, and count positions from the row's own start");
        List<TokenTree> rows =
                List.of(
                        alone(prompt(9, 8, 7, 6, 5, 4), new int[] {3, 4, 5}),
                        alone(prompt(3, 4), new int[] {5, 6}),
                        alone(prompt(3), new int[] {9}));
        ModelOutputs batched = model.evaluate(rows, CHANNELS);
        for (int row = 0; row < rows.size(); row++) {
            near(rule, evaluate(rows.get(row)), batched, row, 0);
        }
    }

    @Test
    final void laterTokensDoNotChangeEarlierOutputs() {
        Rule rule =
                Rule.of(
                        "an output depends on the tokens up to its own place only",
                        "mask attention to later tokens; a mark's score is read at the mark");
        boolean[] supervised = {false, true, true, true};
        int[] marks = {1, 2};
        ModelOutputs before =
                evaluate(TokenTree.trunk(TokenSegment.of(prompt(3, 4, 5), supervised, marks)));
        ModelOutputs after =
                evaluate(TokenTree.trunk(TokenSegment.of(prompt(3, 4, 9), supervised, marks)));
        rule.near(
                before.at(Channel.SCORE, 0, 0),
                after.at(Channel.SCORE, 0, 0),
                tolerance(),
                "scores before the token that was changed");
        rule.near(
                Arrays.copyOf(before.at(LOG_PROB, 0, 0), 2),
                Arrays.copyOf(after.at(LOG_PROB, 0, 0), 2),
                tolerance(),
                "log-probabilities before the token that was changed");
    }

    @Test
    final void scoresOfContinuationsAreThoseOfRows() {
        Rule rule =
                Rule.of(
                        "score gives what evaluate gives at a mark on the last token of each"
                                + " continuation",
                        "read the head after the last token, without the head's activation");
        List<int[]> continuations = List.of(new int[] {5}, new int[] {6, 7, 8});
        double[] scores =
                model.score(
                                List.of(
                                        new ContinuationRequest(
                                                prompt(3, 4), continuations, Optional.of("c"))))
                        .get(0);
        model.release("c");
        rule.same(continuations.size(), scores.length, "number of scores");
        for (int i = 0; i < scores.length; i++) {
            rule.near(
                    evaluate(alone(prompt(3, 4), continuations.get(i))).at(Channel.SCORE, 0, 0),
                    new double[] {scores[i]},
                    tolerance(),
                    "continuation " + i);
        }
    }

    private List<Generation> generate(int samples, int limit, String conversation, int... tokens) {
        GenerationRequest request =
                GenerationRequest.of(
                        prompt(tokens),
                        samples,
                        Sampling.temperature(TEMPERATURE, limit),
                        RandomSource.of(5));
        List<Generation> generations = model.generate(List.of(request.in(conversation))).get(0);
        model.release(conversation);
        return generations;
    }

    @Test
    final void sampledLogProbabilitiesAreThoseOfARow() {
        Rule rule =
                Rule.of(
                        "the log-probabilities of sampled tokens are those of evaluate at the"
                                + " temperature of sampling",
                        "divide the logits by the temperature before the softmax, and cut off"
                                + " nothing afterwards");
        for (Generation generation : generate(4, 6, "g", 3, 4, 5)) {
            int[] ids = generation.tokens().ids();
            String where = "tokens " + Arrays.toString(ids);
            rule.same(TEMPERATURE, generation.tokens().temperature(), where + ", temperature");
            rule.near(
                    evaluate(alone(prompt(3, 4, 5), ids)).at(LOG_PROB, 0, 0),
                    generation.tokens().logProbs(),
                    tolerance(),
                    where);
        }
    }

    private static List<String> texts(List<Generation> generations) {
        return generations.stream().map(g -> Arrays.toString(g.tokens().ids())).toList();
    }

    @Test
    final void samplesOfARequestDiffer() {
        Rule rule =
                Rule.of(
                        "the samples of a request are drawn apart",
                        "draw sample i from random().derive(i)");
        List<String> samples = texts(generate(16, 4, "a", 3));
        rule.holds(
                samples.stream().distinct().count() >= 2,
                "16 samples of 4 tokens",
                "at least two different ones",
                samples);
    }

    @Test
    final void aRerunRepeatsItsSamples() {
        Rule rule =
                Rule.of(
                        "the same request is continued in the same way, whatever was asked before"
                                + " and in whatever conversation",
                        "draw from the request's random source only");
        rule.sameLines(
                texts(generate(16, 4, "a", 3)), texts(generate(16, 4, "b", 3)), "sample by line");
    }

    @Test
    final void aKeptConversationContinuesLikeAFreshOne() {
        Rule rule =
                Rule.of(
                        "a conversation whose beginning is cached goes on like one that is not",
                        "reuse the cache up to where the new prompt leaves the old one, and no"
                                + " further");
        GenerationRequest first =
                GenerationRequest.of(
                        prompt(3, 4), 2, Sampling.temperature(TEMPERATURE, 3), RandomSource.of(7));
        model.generate(List.of(first.in("kept")));
        List<Generation> continued = generate(2, 3, "kept", 3, 4, 5, 6);
        List<Generation> fresh = generate(2, 3, "fresh", 3, 4, 5, 6);
        for (int i = 0; i < fresh.size(); i++) {
            rule.near(
                    fresh.get(i).tokens().logProbs(),
                    continued.get(i).tokens().logProbs(),
                    tolerance(),
                    "log-probabilities of sample " + i);
        }
    }

    @Test
    final void releasingAnUnknownConversationIsHarmless() {
        Rule rule =
                Rule.of(
                        "a conversation that the model never heard of may be released",
                        "ignore names that are unknown");
        rule.answered("release of an unknown name", () -> model.release("never heard of"));
    }

    @Test
    final void allWorkIsCounted() {
        Rule rule =
                Rule.of(
                        "tokensComputed grows with every forward pass",
                        "count the tokens of evaluate, generate, score and step alike");
        long start = model.tokensComputed();
        evaluate(alone(prompt(3), new int[] {4}));
        long evaluated = grown(rule, start, "evaluate");
        generate(1, 2, "g", 3);
        long generated = grown(rule, evaluated, "generate");
        model.score(
                List.of(
                        new ContinuationRequest(
                                prompt(3), List.of(new int[] {4}), Optional.empty())));
        long scored = grown(rule, generated, "score");
        step(model, 1, WHOLE);
        grown(rule, scored, "step");
    }

    private long grown(Rule rule, long before, String after) {
        long now = model.tokensComputed();
        rule.holds(now > before, "after " + after, "more than " + before, now);
        return now;
    }

    /**
     * Minus the log-probabilities plus the squared scores, times a factor: needs both channels, and
     * notes which groups it saw together.
     */
    private static final class BothChannels implements LossFunction {
        private final double factor;
        private final List<Long> groups = new ArrayList<>();

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
            groups.add(rows.stream().filter(row -> row.group() == GROUP).count());
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
            return new Value(factor * loss, gradient, Map.of("rows", (double) rows.size()));
        }
    }

    /** A loss that fails at the second micro-batch. */
    private static final class Failing implements LossFunction {
        private final LossFunction inner = new BothChannels(1);
        private int calls;

        @Override
        public Set<Channel> channels() {
            return inner.channels();
        }

        @Override
        public double normalizer(List<TrainingRow> batch) {
            return inner.normalizer(batch);
        }

        @Override
        public Value evaluate(List<TrainingRow> rows, ModelOutputs outputs, double normalizer) {
            if (++calls == 2) {
                throw new TestkitException("this loss fails on purpose");
            }
            return inner.evaluate(rows, outputs, normalizer);
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
                TrainingRow.of(alone(prompt(9, 9), new int[] {3})).inGroup(GROUP),
                TrainingRow.of(alone(prompt(9), new int[] {4})).inGroup(GROUP));
    }

    private UpdateReport step(TrainableModel of, double factor, int microBatchTokens) {
        return of.step(
                batch(), new BothChannels(factor), new UpdateOptions(1e-2, 1, microBatchTokens));
    }

    private void near(Rule rule, double expected, double seen, double relative, String where) {
        rule.near(
                new double[] {expected},
                new double[] {seen},
                relative * tolerance() * Math.abs(expected),
                where);
    }

    @Test
    final void accumulationChangesNothing() {
        Rule rule =
                Rule.of(
                        "loss, gradient norm and metrics do not depend on the micro-batches that a"
                                + " batch is cut into",
                        "give the loss the normaliser of the whole batch, and add up gradients and"
                                + " metrics before the one update");
        UpdateReport whole = step(model, 1, WHOLE);
        try (TrainableModel other = openModel()) {
            UpdateReport cut = step(other, 1, 1);
            near(rule, whole.loss(), cut.loss(), 1, "loss");
            near(rule, whole.gradientNorm(), cut.gradientNorm(), 10, "gradient norm");
            rule.same(whole.metrics(), cut.metrics(), "metrics");
        }
    }

    @Test
    final void groupsAreNeverCut() {
        Rule rule =
                Rule.of(
                        "the rows of a group are in one micro-batch, which may exceed its size for"
                                + " them",
                        "cut a batch between groups only, and hand over the rows as they came");
        BothChannels loss = new BothChannels(1);
        model.step(batch(), loss, new UpdateOptions(1e-2, 1, 1));
        rule.same(
                List.of(2L),
                loss.groups.stream().filter(rows -> rows > 0).toList(),
                "rows of a group of 2, by micro-batch that has some");
    }

    @Test
    final void theGradientNormIsThatBeforeClipping() {
        Rule rule =
                Rule.of(
                        "the reported gradient norm is that before clipping",
                        "measure it first, and scale the gradient afterwards");
        UpdateReport clipped =
                model.step(batch(), new BothChannels(1), new UpdateOptions(1e-2, 1e-3, WHOLE));
        try (TrainableModel other = openModel()) {
            UpdateReport free =
                    other.step(
                            batch(),
                            new BothChannels(1),
                            new UpdateOptions(1e-2, Double.POSITIVE_INFINITY, WHOLE));
            near(rule, free.gradientNorm(), clipped.gradientNorm(), 1, "clipped to 0.001");
        }
    }

    @Test
    final void trainingLowersTheLoss() {
        Rule rule =
                Rule.of(
                        "steps on one batch lower its loss",
                        "look at the sign of the update, at masks of the backward pass and at the"
                                + " learning rate");
        double first = step(model, 1, WHOLE).loss();
        double last = first;
        for (int i = 0; i < STEPS; i++) {
            last = step(model, 1, WHOLE).loss();
        }
        rule.holds(last < first, "loss after " + STEPS + " steps", "less than " + first, last);
    }

    @Test
    final void trainingLeavesSnapshotsAlone() {
        Rule rule =
                Rule.of(
                        "a snapshot keeps the weights that it was taken of",
                        "copy every weight, also those that optimisers change in place");
        TokenTree row = alone(prompt(3, 4), new int[] {5, 6});
        try (LanguageModel snapshot = model.snapshot()) {
            double[] before = snapshot.evaluate(List.of(row), CHANNELS).at(LOG_PROB, 0, 0).clone();
            for (int i = 0; i < STEPS; i++) {
                step(model, 1, WHOLE);
            }
            rule.near(
                    before,
                    snapshot.evaluate(List.of(row), CHANNELS).at(LOG_PROB, 0, 0),
                    1e-12,
                    "log-probabilities of the snapshot after " + STEPS + " steps of the model");
        }
    }

    /** Losses of the next steps, the first of which tells weights, the others the optimiser. */
    private List<Double> losses(TrainableModel of) {
        List<Double> losses = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            losses.add(step(of, 1, WHOLE).loss());
        }
        return losses;
    }

    private List<Double> undisturbedLosses() {
        try (TrainableModel other = openModel()) {
            return losses(other);
        }
    }

    @Test
    final void aStepThatIsNotFiniteChangesNothing() {
        Rule rule =
                Rule.of(
                        "a step whose loss or gradient is not finite changes neither weights nor"
                                + " optimiser, and says so",
                        "look at loss and gradient norm before the update, and clear the gradient"
                                + " in any case");
        UpdateReport report = step(model, Double.NaN, WHOLE);
        rule.same(false, report.applied(), "applied(), for a gradient of NaN");
        rule.same(undisturbedLosses(), losses(model), "losses of the steps after it");
    }

    @Test
    final void aLossThatFailsLeavesNoGradientBehind() {
        Rule rule =
                Rule.of(
                        "a step whose loss throws passes the exception on and changes nothing",
                        "clear the gradient of the micro-batches before, in a finally block");
        rule.refused(
                TestkitException.class,
                "a loss that fails at the second micro-batch",
                () -> model.step(batch(), new Failing(), new UpdateOptions(1e-2, 1, 1)));
        rule.same(undisturbedLosses(), losses(model), "losses of the steps after it");
    }

    @Test
    final void tooManyBadStepsInARowAreAnError() {
        Rule rule =
                Rule.of(
                        "steps that are not finite, one after the other, end with an"
                                + " AgentPrmException",
                        "count the steps that were skipped: a training that does nothing looks like"
                                + " one that goes on");
        rule.refused(
                AgentPrmException.class,
                MOST_BAD_STEPS + " steps with a gradient of NaN",
                () -> {
                    for (int i = 0; i < MOST_BAD_STEPS; i++) {
                        step(model, Double.NaN, WHOLE);
                    }
                });
    }

    @Test
    final void aRestoredCheckpointGoesOnBitEqual(@TempDir Path directory) {
        Rule rule =
                Rule.of(
                        "a model that is restored from a checkpoint goes on with the same bits",
                        "write weights, moments and counters, all of them, in full precision");
        step(model, 1, WHOLE);
        step(model, 1, WHOLE);
        model.saveCheckpoint(directory);
        try (TrainableModel resumed = openModel()) {
            resumed.restoreCheckpoint(directory);
            rule.same(losses(model), losses(resumed), "losses of the steps after it");
        }
    }
}
