package io.agentprm.algos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.algos.loss.DpoLoss;
import io.agentprm.algos.optim.OnlineDpoConfig;
import io.agentprm.algos.optim.OnlineDpoProvider;
import io.agentprm.algos.optim.ToySetup;
import io.agentprm.algos.policy.BestOfNProvider;
import io.agentprm.algos.policy.ChoiceConfig;
import io.agentprm.algos.policy.Wiring;
import io.agentprm.algos.reward.PrmConfig;
import io.agentprm.algos.reward.PrmProvider;
import io.agentprm.algos.target.McConfig;
import io.agentprm.algos.target.McEstimator;
import io.agentprm.algos.target.TdGaeConfig;
import io.agentprm.algos.target.TdGaeProvider;
import io.agentprm.api.lm.RenderedSegment;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.api.optim.LearningRequest;
import io.agentprm.api.optim.OptimizationRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.run.Metrics;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.target.BootstrappedTargets;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.testkit.ScriptedPolicy;
import io.agentprm.testkit.ScriptedRewardModel;
import io.agentprm.testkit.TabularModel;
import io.agentprm.testkit.TabularRewardModel;
import io.agentprm.testkit.ToyValues;
import io.agentprm.testkit.WordTokenizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The algorithms against exact values of small processes. */
class ConvergenceTest {
    private static final UpdateOptions FULL_STEP =
            new UpdateOptions(1, Double.POSITIVE_INFINITY, 1 << 20);

    private static PrmConfig prmConfig(int epochs) {
        return PrmConfig.builder()
                .epochs(epochs)
                .batchTrajectories(500)
                .learningRate(0.3)
                .maxGradientNorm(10)
                .microBatchTokens(1 << 16)
                .holdOut(0)
                .build();
    }

    private static TabularModel trainedPrm(
            ToySetup toy, List<Trajectory> rollouts, McConfig labels, int epochs) {
        TabularModel prm = toy.model();
        RunContext context = RunContext.ofSeed(5);
        new PrmProvider()
                .create(prmConfig(epochs), Wiring.none(), context)
                .learn(
                        prm,
                        toy.renderer(),
                        McEstimator.of(labels, Metrics.none()).estimate(rollouts),
                        context);
        return prm;
    }

    private static OnlineDpoConfig dpoConfig(
            int steps, OnlineDpoConfig.Loss loss, double beta, double rate) {
        return OnlineDpoConfig.builder()
                .steps(steps)
                .promptsPerStep(64)
                .promptsPerTrajectory(0)
                .temperature(1.0)
                .loss(loss)
                .beta(beta)
                .innerPasses(2)
                .learningRate(rate)
                .maxGradientNorm(10)
                .microBatchTokens(1 << 16)
                .build();
    }

    @Test
    void theRewardModelOfMonteCarloLabelsIsTheValueOfThePolicyThatWasRolledOut() {
        ToySetup toy = ToySetup.stochasticHouse();
        TabularModel uniform = toy.sgdModel();
        List<Trajectory> rollouts = toy.rollouts(toy.policy("uniform", uniform), 3000, 1);
        McConfig labels = McConfig.defaults().with(McConfig.Mapping.UNSIGNED);
        TabularModel prm = trainedPrm(toy, rollouts, labels, 30);
        ToyValues values = ToyValues.of(toy.mdp(), labels.gamma());
        ToyValues.Policy third = (state, steps) -> new double[] {1 / 3., 1 / 3., 1 / 3.};
        for (String action : toy.mdp().actions()) {
            assertEquals(
                    values.q("hall", 0, action, third),
                    Logistic.sigmoid(prm.scoreAt(toy.tokens("fetch", "hall", action, "."))),
                    0.02,
                    action);
            assertEquals(
                    values.q("kitchen", 1, action, third),
                    Logistic.sigmoid(
                            prm.scoreAt(
                                    toy.tokens(
                                            "fetch", "hall", "left", ".", "kitchen", action, "."))),
                    0.03,
                    action);
        }
    }

    /**
     * If preferences are drawn from the Bradley-Terry model of Q, the loss is least where the
     * policy is proportional to ref exp(Q / beta). Here the frequencies are exact: Q = ln 4, ln 2,
     * 0 makes them 2:1, 2:1 and 4:1.
     */
    @Test
    void bradleyTerryPreferencesLeadToTheTiltedReference() {
        WordTokenizer tokenizer = WordTokenizer.of(List.of("a", "b", "c"));
        int[] actions = {3, 4, 5};
        double[] q = {Math.log(4), Math.log(2), 0};
        double[] reference = {Math.log(0.2), Math.log(0.3), Math.log(0.5)};
        double beta = 0.7;
        TabularModel model = TabularModel.sgd(tokenizer);
        model.setLogits(new int[] {1}, -60, -60, -60, reference[0], reference[1], reference[2]);
        int[][] wins = {{0, 10, 12}, {5, 0, 10}, {3, 5, 0}};
        List<TrainingRow> rows = new ArrayList<>();
        for (int c = 0; c < 3; c++) {
            for (int r = 0; r < 3; r++) {
                for (int n = 0; n < wins[c][r]; n++) {
                    rows.add(
                            TrainingRow.of(
                                            TokenTree.of(
                                                    TokenSegment.context(1),
                                                    List.of(
                                                            TokenSegment.supervised(actions[c]),
                                                            TokenSegment.supervised(actions[r]))))
                                    .with(TrainingRow.REFERENCE_LOG_PROB, 1, reference[c])
                                    .with(TrainingRow.REFERENCE_LOG_PROB, 2, reference[r]));
                }
            }
        }
        for (int i = 0; i < 2000; i++) {
            model.step(rows, DpoLoss.sigmoid(beta, 1), FULL_STEP);
        }
        double[] expected = new double[3];
        for (int a = 0; a < 3; a++) {
            expected[a] = Math.exp(reference[a] + q[a] / beta);
        }
        double sum = Arrays.stream(expected).sum();
        double[] actual = model.probabilities(1);
        for (int a = 0; a < 3; a++) {
            assertEquals(expected[a] / sum, actual[actions[a]], 1e-6);
        }
    }

    /**
     * Online DPO takes the better-scored reply always, not with the Bradley-Terry probability: what
     * it converges to depends on the order of the scores only. The identity loss then has the fixed
     * point log-ratio = 1 / (2 beta) above the reference; the logistic one none (see below).
     */
    @Test
    void theIdentityLossStopsAtItsMargin() {
        ToySetup toy = ToySetup.house();
        List<Trajectory> states =
                toy.rollouts(ScriptedPolicy.sequence("open"), 100, 1).stream()
                        .filter(t -> t.instruction().equals("fetch"))
                        .toList();
        // Two replies only: "right" is next to impossible.
        TabularModel model = toy.sgdModel();
        int[] prompt = toy.tokens("fetch", "hall");
        double[] logits = model.logits(prompt);
        logits[toy.mdp().tokenizer().id("right")] = -25;
        logits[toy.mdp().tokenizer().id("open")] = 1;
        model.setLogits(prompt, logits);
        double beta = 0.4;
        RewardModel left =
                ScriptedRewardModel.of(
                        (state, decision) -> decision.action().text().equals("left") ? 0.1 : 0);
        RunContext context = RunContext.ofSeed(2);
        new OnlineDpoProvider()
                .create(
                        dpoConfig(300, OnlineDpoConfig.Loss.IPO, beta, 0.05),
                        Wiring.none(),
                        context)
                .optimize(
                        OptimizationRequest.of(toy.policy("pi", model), states, context)
                                .with(left));
        double[] p = model.probabilities(prompt);
        double logRatio =
                Math.log(p[toy.mdp().tokenizer().id("left")] / p[toy.mdp().tokenizer().id("open")]);
        assertEquals(-1 + 1 / (2 * beta), logRatio, 1e-3);
    }

    @Test
    void theLogisticLossKeepsPushingAsLongAsPairsAreSampled() {
        ToySetup toy = ToySetup.house();
        List<Trajectory> states = toy.rollouts(ScriptedPolicy.random(), 50, 1);
        RewardModel left =
                ScriptedRewardModel.of(
                        (state, decision) -> decision.action().text().equals("left") ? 0.1 : 0);
        double[] probability = new double[2];
        for (int i = 0; i < 2; i++) {
            TabularModel model = toy.model();
            RunContext context = RunContext.ofSeed(2);
            new OnlineDpoProvider()
                    .create(
                            dpoConfig(i == 0 ? 20 : 100, OnlineDpoConfig.Loss.SIGMOID, 0.3, 0.1),
                            Wiring.none(),
                            context)
                    .optimize(
                            OptimizationRequest.of(toy.policy("pi", model), states, context)
                                    .with(left));
            probability[i] = toy.probability(model, "left", "fetch", "hall");
        }
        assertTrue(probability[0] > 0.5, Arrays.toString(probability));
        assertTrue(probability[1] > probability[0] && probability[1] > 0.97);
    }

    /**
     * Against the uniform policy the cellar's half prize at once looks better than the way to the
     * kitchen; only the values of an improved policy show that the kitchen is better. So this takes
     * more than one iteration.
     */
    @Test
    void policyIterationReachesTheOptimalPolicy() {
        ToySetup toy = ToySetup.house();
        TabularModel model = toy.model();
        List<Double> success = new ArrayList<>();
        success.add(toy.successRate(toy.policy("pi-0", model), 100));
        double bestOfFirst = 0;
        for (int i = 0; i < 4; i++) {
            List<Trajectory> rollouts = toy.rollouts(toy.policy("pi-" + i, model), 1000, i);
            TabularModel prm = trainedPrm(toy, rollouts, McConfig.defaults(), 20);
            RewardModel rewardModel = TabularRewardModel.of("q-" + i, prm, toy.renderer());
            if (i == 0) {
                Policy best =
                        new BestOfNProvider()
                                .create(
                                        new ChoiceConfig(4, 1),
                                        Wiring.of(toy.policy("pi-0", model), rewardModel),
                                        RunContext.ofSeed(1));
                bestOfFirst = toy.successRate(best, 100);
            }
            RunContext context = RunContext.ofSeed(i);
            new OnlineDpoProvider()
                    .create(
                            dpoConfig(40, OnlineDpoConfig.Loss.SIGMOID, 0.3, 0.05),
                            Wiring.none(),
                            context)
                    .optimize(
                            OptimizationRequest.of(toy.policy("pi-" + i, model), rollouts, context)
                                    .with(rewardModel));
            success.add(toy.successRate(toy.policy("pi", model), 100));
        }
        assertTrue(bestOfFirst > success.get(0) + 0.1, bestOfFirst + " after " + success);
        assertTrue(success.get(1) > success.get(0) + 0.1, success::toString);
        assertTrue(success.get(4) > 0.97, success::toString);
        ToyValues values = ToyValues.of(toy.mdp(), 0.95);
        assertTrue(values.optimalQ("cellar", 0, "left") > values.optimalQ("cellar", 0, "open"));
        assertTrue(toy.probability(model, "left", "search", "cellar") > 0.95);
    }

    private static TabularModel trainedByTd(
            ToySetup toy, List<Trajectory> rollouts, PrmConfig.Builder prm) {
        TabularModel model = toy.model();
        RunContext context = RunContext.ofSeed(5);
        BootstrappedTargets targets =
                new TdGaeProvider().create(TdGaeConfig.defaults(), Wiring.none(), context);
        new PrmProvider()
                .create(prm.maxGradientNorm(10).holdOut(0).build(), Wiring.none(), context)
                .learn(
                        LearningRequest.of(
                                        model, toy.renderer(), targets.estimate(rollouts), context)
                                .with(targets));
        return model;
    }

    private static double value(ToySetup toy, TabularModel prm, String... words) {
        return Logistic.sigmoid(prm.scoreAt(toy.tokens(words)));
    }

    @Test
    void episodesThatOnlyFailGoToZeroIfTheStepLimitTerminates() {
        ToySetup toy = ToySetup.house();
        List<Trajectory> failures = toy.rollouts(ScriptedPolicy.sequence("left"), 1, 1);
        assertTrue(failures.stream().allMatch(t -> t.length() == 4 && !t.success()));
        TabularModel prm =
                trainedByTd(toy, failures, PrmConfig.builder().epochs(600).learningRate(0.2));
        for (Trajectory failure : failures) {
            RenderedSegment segment = toy.renderer().trajectory(failure).get(0);
            for (RenderedSegment.Reply reply : segment.replies()) {
                int[] prefix = Arrays.copyOf(segment.tokens(), reply.end());
                assertEquals(0, Logistic.sigmoid(prm.scoreAt(prefix)), 0.015);
            }
        }
    }

    private static final ToyValues.Policy THIRD =
            (state, steps) -> new double[] {1 / 3., 1 / 3., 1 / 3.};

    private static PrmConfig.Builder tdConfig(PrmConfig.Loss loss, double progressWeight) {
        return PrmConfig.builder()
                .loss(loss)
                .progressWeight(progressWeight)
                .epochs(30)
                .batchTrajectories(500)
                .learningRate(0.3);
    }

    @Test
    void temporalDifferencesLeadToTheValueOfThePolicyThatWasRolledOut() {
        ToySetup toy = ToySetup.stochasticHouse();
        List<Trajectory> rollouts = toy.rollouts(toy.policy("uniform", toy.sgdModel()), 3000, 1);
        ToyValues values = ToyValues.of(toy.mdp(), 1);
        for (PrmConfig.Loss loss :
                List.of(PrmConfig.Loss.SOFT_BCE, PrmConfig.Loss.PROMISE_PROGRESS)) {
            TabularModel prm = trainedByTd(toy, rollouts, tdConfig(loss, 0));
            for (String action : toy.mdp().actions()) {
                assertEquals(
                        values.q("hall", 0, action, THIRD),
                        value(toy, prm, "fetch", "hall", action, "."),
                        0.02,
                        action);
                assertEquals(
                        values.q("kitchen", 1, action, THIRD),
                        value(toy, prm, "fetch", "hall", "left", ".", "kitchen", action, "."),
                        0.03,
                        action);
            }
        }
    }

    /**
     * With lambda near 1 the labels of an episode hardly differ, so that the second term of the
     * loss pulls every value towards the one before it: the order stays, the distances shrink.
     */
    @Test
    void regressionOfDifferencesKeepsTheOrderOfActionsAndShrinksTheirDistance() {
        ToySetup toy = ToySetup.stochasticHouse();
        List<Trajectory> rollouts = toy.rollouts(toy.policy("uniform", toy.sgdModel()), 3000, 1);
        TabularModel prm = trainedByTd(toy, rollouts, tdConfig(PrmConfig.Loss.AUTO, 1));
        double left = value(toy, prm, "fetch", "hall", "left", ".");
        double right = value(toy, prm, "fetch", "hall", "right", ".");
        double open = value(toy, prm, "fetch", "hall", "open", ".");
        assertTrue(left > right + 0.05 && right > open + 0.2);
        double kitchen = value(toy, prm, "fetch", "hall", "left", ".", "kitchen", "open", ".");
        double back = value(toy, prm, "fetch", "hall", "left", ".", "kitchen", "left", ".");
        assertTrue(kitchen > back + 0.2, kitchen + " against " + back);
        double truth = ToyValues.of(toy.mdp(), 1).q("kitchen", 1, "open", THIRD);
        assertTrue(kitchen > left && kitchen < truth - 0.1, kitchen + " of " + truth);
    }
}
