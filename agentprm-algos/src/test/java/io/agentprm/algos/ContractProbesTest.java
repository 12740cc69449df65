package io.agentprm.algos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.algos.loss.InversePrmLoss;
import io.agentprm.algos.loss.PpoLoss;
import io.agentprm.algos.optim.OnlineDpoConfig;
import io.agentprm.algos.optim.OnlineDpoProvider;
import io.agentprm.algos.optim.SftConfig;
import io.agentprm.algos.optim.SftProvider;
import io.agentprm.algos.optim.ToySetup;
import io.agentprm.algos.policy.BestOfNProvider;
import io.agentprm.algos.policy.ChoiceConfig;
import io.agentprm.algos.policy.Wiring;
import io.agentprm.algos.reward.PrmConfig;
import io.agentprm.algos.reward.PrmProvider;
import io.agentprm.algos.target.GeneralizedAdvantage;
import io.agentprm.algos.target.McConfig;
import io.agentprm.algos.target.McEstimator;
import io.agentprm.api.env.Environment;
import io.agentprm.api.env.Session;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.RenderedSegment;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.api.lm.UpdateReport;
import io.agentprm.api.optim.OptimizationRequest;
import io.agentprm.api.policy.DecisionRequest;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.rollout.RolloutPlan;
import io.agentprm.api.run.Metrics;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.State;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.testkit.FaultyEnvironment;
import io.agentprm.testkit.ScriptedPolicy;
import io.agentprm.testkit.SimpleRollouts;
import io.agentprm.testkit.TabularModel;
import io.agentprm.testkit.TabularPolicy;
import io.agentprm.testkit.TabularRewardModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The contracts carry algorithms that are not built in, and components that can do less. */
class ContractProbesTest {
    private final ToySetup toy = ToySetup.house();

    /** One network with a policy head and a value head, read in the state before each reply. */
    @Test
    void proximalPolicyOptimisationWithEntropyAndValueSolvesTheProcess() {
        TabularModel model = toy.model();
        TabularPolicy policy = toy.policy("ppo", model);
        PpoLoss loss = new PpoLoss(0.2, 0.005, 0.5, 1);
        double before = toy.successRate(policy, 9);
        for (int i = 0; i < 40; i++) {
            List<TrainingRow> rows =
                    toy.rollouts(policy, 40, i).stream().map(t -> ppoRow(model, t)).toList();
            UpdateReport first = null;
            for (int pass = 0; pass < 4; pass++) {
                UpdateReport report = model.step(rows, loss, new UpdateOptions(0.05, 10, 1 << 16));
                first = pass == 0 ? report : first;
            }
            assertEquals(0, first.metrics().get("old-kl"), 1e-12);
            assertEquals(0, first.metrics().get("clip-fraction"));
            assertTrue(first.metrics().get("entropy") >= 0);
        }
        assertTrue(before < 0.3);
        assertTrue(toy.successRate(policy, 9) > 0.9);
    }

    private TrainingRow ppoRow(TabularModel model, Trajectory trajectory) {
        RenderedSegment segment = toy.renderer().trajectory(trajectory).get(0);
        int turns = segment.replies().size();
        boolean[] supervised = new boolean[segment.tokens().length];
        int[] marks = new int[turns];
        for (int t = 0; t < turns; t++) {
            RenderedSegment.Reply reply = segment.replies().get(t);
            Arrays.fill(supervised, reply.start(), reply.end(), true);
            marks[t] = reply.start() - 1;
        }
        TokenTree tree = TokenTree.trunk(TokenSegment.of(segment.tokens(), supervised, marks));
        double[] values =
                model.evaluate(List.of(tree), Set.of(Channel.SCORE)).at(Channel.SCORE, 0, 0);
        double[] rewards = new double[turns];
        rewards[turns - 1] = trajectory.outcome().orElseThrow();
        GeneralizedAdvantage gae = GeneralizedAdvantage.ofValues(rewards, values, 0, 0.95, 0.95);
        List<Double> old = new ArrayList<>();
        List<Double> advantages = new ArrayList<>();
        for (int t = 0; t < turns; t++) {
            for (double logProb :
                    trajectory.turns().get(t).decision().tokens().orElseThrow().logProbs()) {
                old.add(logProb);
                advantages.add(gae.advantages()[t]);
            }
        }
        return TrainingRow.of(tree)
                .with(TrainingRow.OLD_LOG_PROB, 0, array(old))
                .with(TrainingRow.ADVANTAGE, 0, array(advantages))
                .with(TrainingRow.LABEL, 0, gae.targets());
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Learns what the expert values from demonstrations and the learner's own rollouts. */
    @Test
    void inversePrmRanksTheExpertsActionsFirst() {
        ScriptedPolicy expert =
                ScriptedPolicy.of(
                        "expert",
                        (state, random) ->
                                Decision.of(
                                        state.observation().text().equals("kitchen")
                                                ? "open"
                                                : "left"));
        TabularPolicy learner = toy.policy("pi-0", toy.sgdModel());
        TabularModel prm = toy.model();
        List<TrainingRow> rows = new ArrayList<>();
        for (Trajectory trajectory : toy.rollouts(expert, 60, 1)) {
            rows.add(inverseRow(learner, trajectory, 1));
        }
        for (Trajectory trajectory : toy.rollouts(learner, 60, 1)) {
            rows.add(inverseRow(learner, trajectory, 0));
        }
        UpdateReport report = null;
        for (int i = 0; i < 200; i++) {
            report = prm.step(rows, new InversePrmLoss(0.95), new UpdateOptions(0.05, 10, 1 << 16));
        }
        assertTrue(report.metrics().get("accuracy") > 0.7, report::toString);
        for (String other : List.of("right", "open")) {
            assertTrue(
                    prm.scoreAt(toy.tokens("fetch", "hall", "left", "."))
                            > prm.scoreAt(toy.tokens("fetch", "hall", other, ".")));
        }
        RewardModel rewardModel = TabularRewardModel.of("inverse", prm, toy.renderer());
        Policy best =
                new BestOfNProvider()
                        .create(
                                new ChoiceConfig(8, 1),
                                Wiring.of(learner, rewardModel),
                                RunContext.ofSeed(1));
        assertTrue(toy.successRate(best, 3) > toy.successRate(learner, 3) + 0.4);
    }

    /**
     * Every turn but the last has a branch with a fresh action of the learner in the next state.
     */
    private TrainingRow inverseRow(TabularPolicy learner, Trajectory trajectory, double label) {
        RenderedSegment segment = toy.renderer().trajectory(trajectory).get(0);
        int turns = segment.replies().size();
        int[] marks = segment.replies().stream().mapToInt(r -> r.end() - 1).toArray();
        TokenTree tree =
                TokenTree.trunk(
                        TokenSegment.of(
                                segment.tokens(), new boolean[segment.tokens().length], marks));
        double[] next = new double[turns];
        double[] labels = new double[turns];
        Arrays.fill(labels, label);
        List<State> states = trajectory.states();
        RandomSource random = RandomSource.of(8).derive(trajectory.id().toString());
        for (int t = 0; t + 1 < turns; t++) {
            Decision fresh =
                    learner.decide(
                                    List.of(
                                            DecisionRequest.of(
                                                    states.get(t + 1),
                                                    trajectory.id(),
                                                    1,
                                                    random.derive(t))))
                            .get(0)
                            .get(0);
            tree =
                    tree.withBranch(
                            TokenSegment.scored(toy.renderer().reply(fresh)),
                            segment.replies().get(t + 1).start());
            next[t] = tree.segments().size() - 1;
        }
        return TrainingRow.of(tree)
                .with(TrainingRow.LABEL, 0, labels)
                .with(InversePrmLoss.NEXT, 0, next);
    }

    private static PrmConfig prmConfig() {
        return PrmConfig.builder()
                .epochs(20)
                .batchTrajectories(100)
                .learningRate(0.3)
                .maxGradientNorm(10)
                .microBatchTokens(1 << 16)
                .holdOut(0)
                .build();
    }

    private RewardModel rewardModel(List<Trajectory> rollouts) {
        TabularModel prm = toy.model();
        RunContext context = RunContext.ofSeed(1);
        new PrmProvider()
                .create(prmConfig(), Wiring.none(), context)
                .learn(
                        prm,
                        toy.renderer(),
                        McEstimator.of(McConfig.defaults(), Metrics.none()).estimate(rollouts),
                        context);
        return TabularRewardModel.of("q", prm, toy.renderer());
    }

    @Test
    void aRemotePolicyWithoutTokenIdsIsLabelledRewardedAndImprovedByBestOfN() {
        ScriptedPolicy remote = ScriptedPolicy.random();
        List<Trajectory> rollouts = toy.rollouts(remote, 400, 1);
        assertFalse(rollouts.get(0).turns().get(0).decision().tokens().isPresent());
        Policy best =
                new BestOfNProvider()
                        .create(
                                new ChoiceConfig(8, 1),
                                Wiring.of(remote, rewardModel(rollouts)),
                                RunContext.ofSeed(1));
        assertTrue(toy.successRate(best, 2) > toy.successRate(remote, 2) + 0.1);
        TabularModel student = toy.model();
        RunContext context = RunContext.ofSeed(1);
        new SftProvider()
                .create(
                        SftConfig.builder()
                                .epochs(20)
                                .batchTrajectories(100)
                                .learningRate(0.3)
                                .warmup(0)
                                .decay(Decay.LINEAR)
                                .microBatchTokens(1 << 16)
                                .successfulOnly(true)
                                .build(),
                        Wiring.none(),
                        context)
                .optimize(
                        OptimizationRequest.of(toy.policy("student", student), rollouts, context));
        assertTrue(
                toy.successRate(toy.policy("student", student), 2)
                        > toy.successRate(remote, 2) + 0.1);
    }

    @Test
    void anEnvironmentThatNeitherForksNorReplaysIsEnoughForTheWholeLoop() {
        Environment plain = FaultyEnvironment.withoutCapabilities(toy.environment());
        assertTrue(plain.capabilities().isEmpty());
        try (Session session = plain.open()) {
            session.reset(plain.tasks("train").get(0), 1);
            assertThrows(UnsupportedOperationException.class, session::fork);
        }
        TabularModel model = toy.model();
        TabularPolicy policy = toy.policy("pi-0", model);
        double before = toy.successRate(policy, 4);
        List<Trajectory> rollouts =
                SimpleRollouts.of(plain)
                        .collect(
                                policy,
                                RolloutPlan.of(plain.tasks("train"), 400, RandomSource.of(1)));
        RunContext context = RunContext.ofSeed(2);
        new OnlineDpoProvider()
                .create(
                        OnlineDpoConfig.builder()
                                .steps(30)
                                .promptsPerStep(64)
                                .promptsPerTrajectory(0)
                                .temperature(1)
                                .beta(0.3)
                                .innerPasses(2)
                                .learningRate(0.05)
                                .maxGradientNorm(10)
                                .microBatchTokens(1 << 16)
                                .build(),
                        Wiring.none(),
                        context)
                .optimize(
                        OptimizationRequest.of(policy, rollouts, context)
                                .with(rewardModel(rollouts)));
        assertTrue(toy.successRate(policy, 4) > before + 0.1);
    }
}
