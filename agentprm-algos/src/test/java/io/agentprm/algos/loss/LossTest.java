package io.agentprm.algos.loss;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.target.GeneralizedAdvantage;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.api.lm.UpdateReport;
import io.agentprm.testkit.TabularModel;
import io.agentprm.testkit.WordTokenizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LossTest {
    private static final WordTokenizer TOKENIZER = WordTokenizer.of(List.of("a", "b", "c"));
    private static final int A = 3;
    private static final int B = 4;
    private static final int C = 5;
    private static final double T = 0.7;

    private static TokenSegment marked(int[] tokens, int... marks) {
        return TokenSegment.of(tokens, new boolean[tokens.length], marks);
    }

    private static TrainingRow score(double label) {
        return TrainingRow.of(TokenTree.trunk(TokenSegment.scored(1, A)))
                .with(TrainingRow.LABEL, 0, label);
    }

    private static List<TrainingRow> labelled() {
        return List.of(
                TrainingRow.of(TokenTree.trunk(marked(new int[] {1, A, B, C}, 1, 2, 3)))
                        .with(TrainingRow.LABEL, 0, 0.2, 0.9, 1)
                        .with(TrainingRow.WEIGHT, 0, 1, 0, 2.5),
                TrainingRow.of(
                                TokenTree.of(
                                        TokenSegment.context(1, B),
                                        List.of(TokenSegment.scored(A))))
                        .with(TrainingRow.LABEL, 1, 0));
    }

    /** Two pairs on one trunk, forking at different places, of different lengths. */
    private static List<TrainingRow> replies() {
        TokenTree tree =
                TokenTree.trunk(TokenSegment.context(1, A, B))
                        .withBranch(TokenSegment.supervised(C, 2), 2)
                        .withBranch(TokenSegment.supervised(A, A, 2), 2)
                        .withBranch(TokenSegment.supervised(2), 3)
                        .withBranch(TokenSegment.supervised(C, 2), 3);
        return List.of(
                TrainingRow.of(tree)
                        .with(TrainingRow.REFERENCE_LOG_PROB, 1, -1, -0.5)
                        .with(TrainingRow.REFERENCE_LOG_PROB, 2, -2, -0.3, -1)
                        .with(TrainingRow.REFERENCE_LOG_PROB, 3, -0.2)
                        .with(TrainingRow.REFERENCE_LOG_PROB, 4, -1, -1.5),
                groupRow(A).with(TrainingRow.REFERENCE_LOG_PROB, 0, -1).inGroup(7),
                groupRow(B).with(TrainingRow.REFERENCE_LOG_PROB, 0, -2).inGroup(7));
    }

    /** The same with a reply that is an anchor, between pairs. */
    private static List<TrainingRow> repliesWithAnchor() {
        TokenTree tree =
                TokenTree.trunk(TokenSegment.context(1, A, B))
                        .withBranch(TokenSegment.supervised(C, 2), 2)
                        .withBranch(TokenSegment.supervised(A, B), 3)
                        .withBranch(TokenSegment.supervised(A, A, 2), 2);
        return List.of(
                TrainingRow.of(tree)
                        .with(TrainingRow.REFERENCE_LOG_PROB, 1, -1, -0.5)
                        .with(TrainingRow.REFERENCE_LOG_PROB, 2, -1, -0.7)
                        .with(DpoLoss.ANCHOR, 2, 0.8)
                        .with(TrainingRow.REFERENCE_LOG_PROB, 3, -2, -0.3, -1));
    }

    private static TrainingRow groupRow(int token) {
        return TrainingRow.of(
                TokenTree.trunk(
                        TokenSegment.of(
                                new int[] {1, token}, new boolean[] {false, true}, new int[0])));
    }

    private static List<TrainingRow> scoredPairs() {
        return List.of(
                TrainingRow.of(
                        TokenTree.of(
                                TokenSegment.context(1, A),
                                List.of(TokenSegment.scored(B), TokenSegment.scored(C, 2)))),
                TrainingRow.of(TokenTree.trunk(TokenSegment.scored(1, B))).inGroup(0),
                TrainingRow.of(TokenTree.trunk(TokenSegment.scored(1, C))).inGroup(0));
    }

    private static List<TrainingRow> episode() {
        TokenSegment trunk =
                TokenSegment.of(
                        new int[] {1, A, B, 2, C},
                        new boolean[] {false, false, true, true, true},
                        new int[] {1, 3});
        return List.of(
                TrainingRow.of(TokenTree.trunk(trunk))
                        .with(TrainingRow.OLD_LOG_PROB, 0, -0.9, -1, -1.2)
                        .with(TrainingRow.ADVANTAGE, 0, 0.5, -0.7, 1)
                        .with(TrainingRow.LABEL, 0, 0.3, 0.8)
                        .with(TrainingRow.WEIGHT, 0, 2, 1));
    }

    /** A trajectory in two rows, with a turn that does not count, and one in a row of its own. */
    private static List<TrainingRow> turns() {
        return List.of(
                TrainingRow.of(TokenTree.trunk(marked(new int[] {1, A, B, C}, 1, 2, 3)))
                        .with(TrainingRow.LABEL, 0, 0.2, 0.9, 1)
                        .with(TrainingRow.WEIGHT, 0, 1, 2, 0.5)
                        .inGroup(4),
                TrainingRow.of(TokenTree.trunk(marked(new int[] {1, C, A}, 0, 2)))
                        .with(TrainingRow.LABEL, 0, 0.4, 0.3)
                        .with(TrainingRow.WEIGHT, 0, 0, 1),
                TrainingRow.of(TokenTree.trunk(marked(new int[] {1, B, A, B}, 1, 2, 3)))
                        .with(TrainingRow.LABEL, 0, 0, 0.7, 0.1)
                        .with(TrainingRow.WEIGHT, 0, 1, 0, 1)
                        .inGroup(4));
    }

    private static List<TrainingRow> transitions() {
        TokenTree tree =
                TokenTree.trunk(marked(new int[] {1, A, B, C}, 1, 3))
                        .withBranch(TokenSegment.scored(B, 2), 3);
        return List.of(
                TrainingRow.of(tree)
                        .with(TrainingRow.LABEL, 0, 1, 1)
                        .with(InversePrmLoss.NEXT, 0, 1, 0),
                TrainingRow.of(tree)
                        .with(TrainingRow.LABEL, 0, 0, 0)
                        .with(InversePrmLoss.NEXT, 0, 1, 0));
    }

    /**
     * An expert's trajectory in two rows, whose second turn's next action branches off in the
     * second; and a learner's with logged next actions and a turn that does not count.
     */
    private static List<TrainingRow> trajectories() {
        return List.of(
                TrainingRow.of(
                                TokenTree.trunk(marked(new int[] {1, A, B, C}, 1, 3))
                                        .withBranch(TokenSegment.scored(B, 2), 3))
                        .with(TrainingRow.LABEL, 0, 1, 1)
                        .with(InversePrmLoss.NEXT, 0, 1, 1)
                        .inGroup(1),
                TrainingRow.of(
                                TokenTree.trunk(marked(new int[] {1, B, A}, 2))
                                        .withBranch(TokenSegment.scored(C, 2), 2))
                        .with(TrainingRow.LABEL, 0, 1)
                        .with(InversePrmLoss.NEXT, 0, InversePrmLoss.END)
                        .inGroup(1),
                TrainingRow.of(TokenTree.trunk(marked(new int[] {1, C, A, B}, 1, 2, 3)))
                        .with(TrainingRow.LABEL, 0, 0, 0, 0)
                        .with(TrainingRow.WEIGHT, 0, 1, 0, 1)
                        .with(
                                InversePrmLoss.NEXT,
                                0,
                                InversePrmLoss.LOGGED,
                                InversePrmLoss.LOGGED,
                                InversePrmLoss.END));
    }

    static Stream<Arguments> losses() {
        return Stream.of(
                Arguments.of(new SftLoss(), episode()),
                Arguments.of(new SoftBceLoss(), labelled()),
                Arguments.of(new MseLoss(), labelled()),
                Arguments.of(new BrierLoss(), labelled()),
                Arguments.of(new PromiseProgressLoss(0.7), turns()),
                Arguments.of(new BradleyTerryLoss(), scoredPairs()),
                Arguments.of(DpoLoss.sigmoid(0.3, T), replies()),
                Arguments.of(DpoLoss.ipo(0.3, T), replies()),
                Arguments.of(DpoLoss.sigmoid(0.3, T).withChosenNll(0.7), replies()),
                Arguments.of(DpoLoss.lengthNormalised(2, T), replies()),
                Arguments.of(DpoLoss.sigmoid(0.3, T), repliesWithAnchor()),
                Arguments.of(DpoLoss.lengthNormalised(2, T), repliesWithAnchor()),
                Arguments.of(new PpoLoss(0.2, 0.01, 0.5, T), episode()),
                Arguments.of(new InversePrmLoss(0.95), transitions()),
                Arguments.of(new InversePrmLoss(0.95, 0.3), trajectories()));
    }

    @ParameterizedTest
    @MethodSource("losses")
    void gradientsAgreeWithFiniteDifferencesOnRandomOutputs(
            LossFunction loss, List<TrainingRow> rows) {
        FiniteDifferences.checkOnRandomOutputs(rows, loss);
    }

    @ParameterizedTest
    @MethodSource("losses")
    void gradientsAgreeWithFiniteDifferencesThroughTheTabularModel(
            LossFunction loss, List<TrainingRow> rows) {
        FiniteDifferences.checkThroughTheModel(rows, loss, TabularModel.sgd(TOKENIZER));
    }

    @ParameterizedTest
    @MethodSource("losses")
    void accumulationOverMicroBatchesChangesNeitherGradientNorNorm(
            LossFunction loss, List<TrainingRow> rows) {
        TabularModel whole = TabularModel.sgd(TOKENIZER);
        TabularModel cut = TabularModel.sgd(TOKENIZER);
        UpdateReport one = whole.step(rows, loss, new UpdateOptions(1, 1, 1 << 20));
        UpdateReport many = cut.step(rows, loss, new UpdateOptions(1, 1, 1));
        assertEquals(one.loss(), many.loss(), 1e-12);
        assertEquals(one.gradientNorm(), many.gradientNorm(), 1e-12);
        for (int[] prefix : new int[][] {{1}, {1, A}, {1, A, B}, {1, B}}) {
            assertArrayEquals(whole.logits(prefix), cut.logits(prefix), 1e-12);
            assertEquals(whole.scoreAt(prefix), cut.scoreAt(prefix), 1e-12);
        }
        one.metrics()
                .forEach((name, value) -> assertEquals(value, many.metrics().get(name), 1e-12));
    }

    private static LossFunction.Value at(LossFunction loss, List<TrainingRow> rows, double... s) {
        ModelOutputs outputs = ModelOutputs.zeros(FiniteDifferences.trees(rows), loss.channels());
        Channel channel = loss.channels().iterator().next();
        int next = 0;
        for (int r = 0; r < rows.size(); r++) {
            for (int k = 0; k < rows.get(r).tree().segments().size(); k++) {
                double[] values = outputs.at(channel, r, k);
                for (int i = 0; i < values.length; i++) {
                    values[i] = s[next++];
                }
            }
        }
        return loss.evaluate(rows, outputs, loss.normalizer(rows));
    }

    @Test
    void softCrossEntropyGivesTheReferenceValue() {
        assertEquals(0.468076, at(new SoftBceLoss(), List.of(score(0.9073)), 0.7).loss(), 1e-6);
    }

    @Test
    void softCrossEntropyStaysFiniteForExtremeLogits() {
        LossFunction.Value value = at(new SoftBceLoss(), List.of(score(0)), 200);
        assertEquals(200, value.loss(), 1e-12);
        assertEquals(1, value.gradient().at(Channel.SCORE, 0, 0)[0], 1e-12);
        assertEquals(0, at(new SoftBceLoss(), List.of(score(0)), -800).loss());
        assertEquals(800, at(new SoftBceLoss(), List.of(score(1)), -800).loss());
    }

    @Test
    void ignoredLabelsAreAMaskOfTheirOwn() {
        TrainingRow row =
                TrainingRow.of(TokenTree.trunk(marked(new int[] {1, A, B, C}, 0, 1, 2, 3)))
                        .with(TrainingRow.LABEL, 0, -100, 0, -100, 1);
        LossFunction loss = new SoftBceLoss();
        LossFunction.Value value =
                at(loss, List.of(row.with(TrainingRow.WEIGHT, 0, 0, 1, 0, 1)), 9, 1, -9, 1);
        double expected = (Math.log1p(Math.E) + Math.log1p(Math.exp(-1))) / 2;
        assertEquals(expected, value.loss(), 1e-12);
        assertEquals(0.5, value.metrics().get("accuracy"), 1e-12);
        assertArrayEquals(
                new double[] {0, 0, 0},
                new double[] {
                    value.gradient().at(Channel.SCORE, 0, 0)[0],
                    value.gradient().at(Channel.SCORE, 0, 0)[2],
                    0
                });
        assertThrows(AlgorithmException.class, () -> at(loss, List.of(row), 9, 1, -9, 1));
        TrainingRow ignored = row.with(TrainingRow.WEIGHT, 0, 0, 0, 0, 0);
        assertThrows(AlgorithmException.class, () -> loss.normalizer(List.of(ignored)));
    }

    @Test
    void batchesWithNothingToLearnFromAreErrors() {
        List<TrainingRow> context =
                List.of(TrainingRow.of(TokenTree.trunk(TokenSegment.context(1, A))));
        for (LossFunction loss :
                List.of(
                        new SftLoss(),
                        new SoftBceLoss(),
                        new MseLoss(),
                        new PromiseProgressLoss(1),
                        new PpoLoss(0.2, 0, 1, 1),
                        new InversePrmLoss(0.95),
                        new BradleyTerryLoss(),
                        DpoLoss.sigmoid(1, 1))) {
            assertThrows(AlgorithmException.class, () -> loss.normalizer(context));
        }
    }

    @Test
    void bradleyTerryGivesTheReferenceValue() {
        List<TrainingRow> pair = scoredPairs().subList(0, 1);
        assertEquals(0.341154, at(new BradleyTerryLoss(), pair, 0.7, -0.2).loss(), 1e-6);
    }

    private static double logit(double p) {
        return Math.log(p / (1 - p));
    }

    private static final double[] VALUES = {logit(0.4), logit(0.5), logit(0.3), logit(0.6)};

    private static final double[] TARGETS =
            GeneralizedAdvantage.ofScores(new double[] {0.4, 0.5, 0.3, 0.6}, 0.4, 1, 1, 0.95)
                    .targets();

    private static TrainingRow fourTurns() {
        return TrainingRow.of(TokenTree.trunk(marked(new int[] {1, A, B, C}, 0, 1, 2, 3)))
                .with(TrainingRow.LABEL, 0, TARGETS);
    }

    @Test
    void promiseAndProgressGiveTheReferenceValues() {
        TrainingRow rounded = fourTurns().with(TrainingRow.LABEL, 0, 0.9147, 0.9417, 0.9650, 1);
        LossFunction.Value value = at(new PromiseProgressLoss(1), List.of(rounded), VALUES);
        assertEquals(0.132780, value.metrics().get("promise"), 1e-6);
        assertEquals(0.020903, value.metrics().get("progress"), 1e-6);
        assertEquals(0.153683, value.loss(), 1e-6);
    }

    @Test
    void differencesReachFromOneRowOfATrajectoryIntoTheNextAndNoFurther() {
        PromiseProgressLoss loss = new PromiseProgressLoss(1);
        TrainingRow first =
                TrainingRow.of(TokenTree.trunk(marked(new int[] {1, A}, 0, 1)))
                        .with(TrainingRow.LABEL, 0, TARGETS[0], TARGETS[1]);
        TrainingRow second =
                TrainingRow.of(TokenTree.trunk(marked(new int[] {B, C}, 0, 1)))
                        .with(TrainingRow.LABEL, 0, TARGETS[2], TARGETS[3]);
        double whole = at(loss, List.of(fourTurns()), VALUES).metrics().get("progress");
        List<TrainingRow> tied = List.of(first.inGroup(0), second.inGroup(0));
        assertEquals(whole, at(loss, tied, VALUES).metrics().get("progress"), 1e-12);
        for (List<TrainingRow> apart :
                List.of(List.of(first, second), List.of(first.inGroup(0), second.inGroup(1)))) {
            assertEquals(
                    (at(loss, List.of(first), VALUES[0], VALUES[1]).metrics().get("progress")
                                    + at(loss, List.of(second), VALUES[2], VALUES[3])
                                            .metrics()
                                            .get("progress"))
                            / 2,
                    at(loss, apart, VALUES).metrics().get("progress"),
                    1e-12);
        }
    }

    /** What td-gae would say of one's own scores, the outcome being 1. */
    private static final SelfLabelledLoss SELF_LABELLED =
            new SelfLabelledLoss(
                    new PromiseProgressLoss(1),
                    (group, values) ->
                            GeneralizedAdvantage.ofScores(values, 0, 1, 1, 0.95).targets());

    @Test
    void ownLabelsAreThoseOfTheCurrentScoresAndConstantsForTheGradient() {
        TrainingRow row = fourTurns().inGroup(0);
        LossFunction.Value fixed = at(new PromiseProgressLoss(1), List.of(row), VALUES);
        LossFunction.Value own =
                at(SELF_LABELLED, List.of(row.with(TrainingRow.LABEL, 0, 0, 0, 0, 0)), VALUES);
        assertEquals(fixed.loss(), own.loss(), 1e-9);
        assertArrayEquals(
                fixed.gradient().at(Channel.SCORE, 0, 0),
                own.gradient().at(Channel.SCORE, 0, 0),
                1e-9);
    }

    @Test
    void ownLabelsAreThoseOfTheWholeTrajectoryInWhateverMicroBatches() {
        accumulationOverMicroBatchesChangesNeitherGradientNorNorm(
                SELF_LABELLED, turns().stream().filter(row -> row.group() >= 0).toList());
    }

    @Test
    void ownLabelsNeedToKnowTheTrajectory() {
        assertThrows(
                AlgorithmException.class, () -> at(SELF_LABELLED, List.of(fourTurns()), VALUES));
        SelfLabelledLoss tooFew =
                new SelfLabelledLoss(new BrierLoss(), (group, values) -> new double[1]);
        assertThrows(
                AlgorithmException.class,
                () -> at(tooFew, List.of(fourTurns().inGroup(0)), VALUES));
    }

    @Test
    void inversePrmGivesTheReferenceValues() {
        InversePrmLoss loss = new InversePrmLoss(0.95);
        List<TrainingRow> expert = transitions().subList(0, 1);
        List<TrainingRow> learner = transitions().subList(1, 2);
        // The terminal turn's delta is its own score: 0 costs ln 2.
        double terminal = Math.log(2);
        assertEquals(0.497154, 2 * at(loss, expert, 1.2, 0, 0.8).loss() - terminal, 1e-6);
        assertEquals(0.937154, 2 * at(loss, learner, 1.2, 0, 0.8).loss() - terminal, 1e-6);
    }

    @Test
    void aLoggedNextActionIsTheNextTurnOfItsTrajectory() {
        InversePrmLoss loss = new InversePrmLoss(0.95);
        TrainingRow logged =
                TrainingRow.of(TokenTree.trunk(marked(new int[] {1, A, B}, 1, 2)))
                        .with(TrainingRow.LABEL, 0, 0, 0)
                        .with(TrainingRow.WEIGHT, 0, 1, 0)
                        .with(InversePrmLoss.NEXT, 0, InversePrmLoss.LOGGED, InversePrmLoss.END);
        LossFunction.Value value = at(loss, List.of(logged), 1.2, 0.8);
        assertEquals(0.937154, value.loss(), 1e-6);
        double slope = 1 / (1 + Math.exp(-0.44));
        assertArrayEquals(
                new double[] {slope, -0.95 * slope},
                value.gradient().at(Channel.SCORE, 0, 0),
                1e-12);
        TrainingRow dangling =
                logged.with(TrainingRow.WEIGHT, 0, 1, 1)
                        .with(InversePrmLoss.NEXT, 0, InversePrmLoss.LOGGED, InversePrmLoss.LOGGED);
        assertThrows(AlgorithmException.class, () -> at(loss, List.of(dangling), 1.2, 0.8));
    }

    @Test
    void aBranchIsCountedInTheRowOfTheNextTurn() {
        InversePrmLoss loss = new InversePrmLoss(0.95);
        List<TrainingRow> rows =
                List.of(
                        TrainingRow.of(
                                        TokenTree.trunk(marked(new int[] {1, A}, 1))
                                                .withBranch(TokenSegment.scored(C), 1))
                                .with(TrainingRow.LABEL, 0, 1)
                                .with(InversePrmLoss.NEXT, 0, 1)
                                .inGroup(0),
                        TrainingRow.of(
                                        TokenTree.trunk(marked(new int[] {1, B}, 1))
                                                .withBranch(TokenSegment.scored(C), 1))
                                .with(TrainingRow.LABEL, 0, 1)
                                .with(TrainingRow.WEIGHT, 0, 0)
                                .with(InversePrmLoss.NEXT, 0, InversePrmLoss.END)
                                .inGroup(0));
        assertEquals(0.497154, at(loss, rows, 1.2, 7, 5, 0.8).loss(), 1e-6);
    }

    private static List<TrainingRow> dpoPair(double referenceChosen, double referenceRejected) {
        return List.of(
                TrainingRow.of(
                                TokenTree.of(
                                        TokenSegment.context(1),
                                        List.of(
                                                TokenSegment.supervised(A),
                                                TokenSegment.supervised(B))))
                        .with(TrainingRow.REFERENCE_LOG_PROB, 1, referenceChosen)
                        .with(TrainingRow.REFERENCE_LOG_PROB, 2, referenceRejected));
    }

    @Test
    void directPreferenceOptimisationGivesTheReferenceValues() {
        List<TrainingRow> pair = dpoPair(-11, -13);
        LossFunction.Value value = at(DpoLoss.sigmoid(0.03, T), pair, -10, -14);
        assertEquals(0.663597, value.loss(), 1e-6);
        assertEquals(0.06, value.metrics().get("margin"), 1e-12);
        assertEquals(215.111111, at(DpoLoss.ipo(0.03, T), pair, -10, -14).loss(), 1e-6);
        assertEquals(Math.log(2), at(DpoLoss.sigmoid(0.03, T), dpoPair(-10, -14), -10, -14).loss());
    }

    @Test
    void theLikelihoodOfThePreferredReplyCountsPerTokenWhereAsked() {
        LossFunction.Value value =
                at(DpoLoss.sigmoid(0.03, T).withChosenNll(0.5), dpoPair(-11, -13), -10, -14);
        assertEquals(0.663597 + 0.5 * 10, value.loss(), 1e-6, "one token with log-probability -10");
        assertEquals(0.06, value.metrics().get("margin"), 1e-12, "the margin stays what it was");
    }

    @Test
    void anAnchorIsNoSideOfAPairAndCostsHalfItsSquaredLogRatio() {
        List<TrainingRow> pair = dpoPair(-11, -13);
        TokenTree anchored =
                TokenTree.of(TokenSegment.context(1), List.of(TokenSegment.supervised(A)));
        List<TrainingRow> rows = new ArrayList<>(pair);
        rows.add(
                TrainingRow.of(anchored)
                        .with(TrainingRow.REFERENCE_LOG_PROB, 1, -2)
                        .with(DpoLoss.ANCHOR, 1, 0.25));
        DpoLoss loss = DpoLoss.sigmoid(0.03, T);

        assertEquals(1, loss.normalizer(rows));
        ModelOutputs outputs =
                ModelOutputs.zeros(rows.stream().map(TrainingRow::tree).toList(), loss.channels());
        ModelOutputs without =
                ModelOutputs.zeros(pair.stream().map(TrainingRow::tree).toList(), loss.channels());
        LossFunction.Value value = loss.evaluate(rows, outputs, 1);
        LossFunction.Value bare = loss.evaluate(pair, without, 1);
        assertEquals(bare.loss() + 0.25 * 2 * 2 / 2, value.loss(), 1e-12);
        assertEquals(bare.metrics(), value.metrics());
    }

    @Test
    void anchorsWeightedByTheirProbabilityHaveTheGradientOfTheDivergence() {
        double[] logits = {0.3, -1, 0.8, 0.1};
        double[] reference = logSoftmax(new double[] {1, 0, -0.5, 0.2});
        double[] policy = logSoftmax(logits);
        DpoLoss loss = DpoLoss.sigmoid(0.03, T);
        TokenTree tree = TokenTree.trunk(TokenSegment.context(1));
        for (int i = 0; i < logits.length; i++) {
            tree = tree.withBranch(TokenSegment.supervised(A), 1);
        }
        TrainingRow row = TrainingRow.of(tree);
        Channel channel = loss.channels().iterator().next();
        ModelOutputs outputs = ModelOutputs.zeros(List.of(tree), loss.channels());
        for (int i = 0; i < logits.length; i++) {
            outputs.at(channel, 0, i + 1)[0] = policy[i];
            row =
                    row.with(TrainingRow.REFERENCE_LOG_PROB, i + 1, reference[i])
                            .with(DpoLoss.ANCHOR, i + 1, Math.exp(policy[i]));
        }
        ModelOutputs slopes = loss.evaluate(List.of(row), outputs, 1).gradient();
        for (int j = 0; j < logits.length; j++) {
            double slope = 0;
            for (int i = 0; i < logits.length; i++) {
                double change = (i == j ? 1 : 0) - Math.exp(policy[j]);
                slope += slopes.at(channel, 0, i + 1)[0] * change;
            }
            double step = 1e-6;
            double[] up = logits.clone();
            double[] down = logits.clone();
            up[j] += step;
            down[j] -= step;
            double expected = (divergence(up, reference) - divergence(down, reference)) / 2 / step;
            assertEquals(expected, slope, 1e-8);
        }
    }

    private static double divergence(double[] logits, double[] reference) {
        double[] policy = logSoftmax(logits);
        double sum = 0;
        for (int i = 0; i < policy.length; i++) {
            sum += Math.exp(policy[i]) * (policy[i] - reference[i]);
        }
        return sum;
    }

    private static double[] logSoftmax(double[] logits) {
        double total = Math.log(Arrays.stream(logits).map(Math::exp).sum());
        return Arrays.stream(logits).map(logit -> logit - total).toArray();
    }

    @Test
    void replyLogProbabilitiesSumOverTheReplyOnly() {
        TabularModel model = TabularModel.sgd(TOKENIZER);
        model.setLogits(new int[] {1, A}, logits(B, -1));
        model.setLogits(new int[] {1, A, B}, logits(C, -2));
        TokenTree tree =
                TokenTree.of(TokenSegment.context(1, A), List.of(TokenSegment.supervised(B, C)));
        Channel channel = Channel.logProb(1);
        double[] before =
                model.evaluate(List.of(tree), java.util.Set.of(channel)).at(channel, 0, 1);
        assertEquals(-3, before[0] + before[1], 1e-12);
        model.setLogits(new int[] {1}, 5, 4, 3, 2, 1, 0);
        double[] after = model.evaluate(List.of(tree), java.util.Set.of(channel)).at(channel, 0, 1);
        assertArrayEquals(before, after);
    }

    /** Logits whose log-probability of one token is the given one. */
    private static double[] logits(int token, double logProb) {
        double[] logits = new double[TOKENIZER.vocabularySize()];
        double rest = Math.log((1 - Math.exp(logProb)) / (logits.length - 1));
        Arrays.fill(logits, rest);
        logits[token] = logProb;
        return logits;
    }

    @Test
    void summedFormsFavourLengthAndTheNormalisedOneDoesNot() {
        assertEquals(1.0, margin(DpoLoss.sigmoid(0.1, 1), 10), 1e-9);
        assertEquals(10.0, margin(DpoLoss.sigmoid(0.1, 1), 100), 1e-9);
        assertEquals(0.1, margin(DpoLoss.lengthNormalised(0.1, 1), 10), 1e-9);
        assertEquals(0.1, margin(DpoLoss.lengthNormalised(0.1, 1), 100), 1e-9);
    }

    /** Margin of a chosen reply of that many tokens, each 1 nat above its reference. */
    private static double margin(DpoLoss loss, int tokens) {
        int[] reply = new int[tokens];
        Arrays.fill(reply, A);
        TrainingRow row =
                TrainingRow.of(
                                TokenTree.of(
                                        TokenSegment.context(1),
                                        List.of(
                                                TokenSegment.supervised(reply),
                                                TokenSegment.supervised(reply))))
                        .with(TrainingRow.REFERENCE_LOG_PROB, 1, new double[tokens])
                        .with(TrainingRow.REFERENCE_LOG_PROB, 2, new double[tokens]);
        double[] outputs = new double[2 * tokens];
        Arrays.fill(outputs, 0, tokens, 1);
        return at(loss, List.of(row), outputs).metrics().get("margin");
    }

    @Test
    void clippedRatiosCarryNoGradient() {
        TrainingRow row =
                TrainingRow.of(
                                TokenTree.of(
                                        TokenSegment.context(1),
                                        List.of(TokenSegment.supervised(A, B))))
                        .with(TrainingRow.OLD_LOG_PROB, 1, -2, -2)
                        .with(TrainingRow.ADVANTAGE, 1, 1, -1);
        PpoLoss loss = new PpoLoss(0.2, 0, 0, 1);
        ModelOutputs outputs =
                ModelOutputs.zeros(FiniteDifferences.trees(List.of(row)), loss.channels());
        outputs.at(Channel.logProb(1), 0, 1)[0] = -1;
        outputs.at(Channel.logProb(1), 0, 1)[1] = -1;
        LossFunction.Value value = loss.evaluate(List.of(row), outputs, 1);
        assertEquals(-1.2 + Math.E, value.loss(), 1e-12);
        assertArrayEquals(
                new double[] {0, Math.E}, value.gradient().at(Channel.logProb(1), 0, 1), 1e-12);
        assertEquals(1, value.metrics().get("clip-fraction"));
    }

    @Test
    void anUnpairedReplyIsAnError() {
        TrainingRow odd =
                TrainingRow.of(
                        TokenTree.of(TokenSegment.context(1), List.of(TokenSegment.supervised(A))));
        AlgorithmException error =
                assertThrows(
                        AlgorithmException.class,
                        () -> DpoLoss.sigmoid(1, 1).normalizer(List.of(odd)));
        assertTrue(error.getMessage().contains("1 branches"), error::getMessage);
    }
}
