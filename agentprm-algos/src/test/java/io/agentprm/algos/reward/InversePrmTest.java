package io.agentprm.algos.reward;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.loss.InversePrmLoss;
import io.agentprm.algos.optim.ToySetup;
import io.agentprm.algos.policy.BestOfNProvider;
import io.agentprm.algos.policy.ChoiceConfig;
import io.agentprm.algos.policy.Wiring;
import io.agentprm.algos.train.TaskSplit;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.optim.Imitation;
import io.agentprm.api.optim.LearningRequest;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.api.optim.RewardLearner;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.run.CancelledException;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import io.agentprm.testkit.RecordingContext;
import io.agentprm.testkit.ScriptedPolicy;
import io.agentprm.testkit.TabularModel;
import io.agentprm.testkit.TabularPolicy;
import io.agentprm.testkit.TabularRewardModel;
import io.agentprm.testkit.ToyRenderer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InversePrmTest {
    private final ToySetup toy = ToySetup.house();

    private final Policy expert =
            ScriptedPolicy.of(
                    "expert",
                    (state, random) ->
                            Decision.of(
                                    state.observation().text().equals("kitchen")
                                            ? "open"
                                            : "left"));
    private final TabularPolicy learner = toy.policy("pi-0", toy.sgdModel());
    private final Imitation imitation =
            new Imitation(toy.rollouts(expert, 60, 1), toy.rollouts(learner, 60, 2), learner);

    private static InversePrmConfig.Builder config() {
        return InversePrmConfig.builder()
                .learningRate(0.1)
                .maxGradientNorm(10)
                .microBatchTokens(64)
                .holdOut(0);
    }

    private OptimizationReport learn(
            InversePrmConfig.Builder config,
            TabularModel model,
            StateRenderer renderer,
            Imitation from,
            RunContext context) {
        return new InversePrmProvider()
                .create(config.build(), Wiring.none(), context)
                .learn(LearningRequest.of(model, renderer, from, context));
    }

    private OptimizationReport learn(
            InversePrmConfig.Builder config, TabularModel model, Imitation from) {
        return learn(config, model, toy.renderer(), from, RunContext.ofSeed(1));
    }

    /** A share that holds out one of the two tasks. */
    private double oneOfTwo() {
        for (double share = 0.01; share < 1; share += 0.01) {
            if (imitation.rollouts().stream().anyMatch(TaskSplit.heldOut(share))) {
                return share;
            }
        }
        return 1;
    }

    @Test
    void theExpertsActionsScoreHighestAndChoosingByThemIsBetter() {
        TabularModel prm = toy.model();
        OptimizationReport report = learn(config().epochs(25), prm, imitation);
        assertTrue(report.summary().get("prm.accuracy") > 0.7, report::toString);
        for (String other : List.of("right", "open")) {
            assertTrue(
                    prm.scoreAt(toy.tokens("fetch", "hall", "left", "."))
                            > prm.scoreAt(toy.tokens("fetch", "hall", other, ".")) + 1);
        }
        Policy best =
                new BestOfNProvider()
                        .create(
                                new ChoiceConfig(8, 1),
                                Wiring.of(
                                        learner, TabularRewardModel.of("Q-0", prm, toy.renderer())),
                                RunContext.ofSeed(1));
        assertTrue(toy.successRate(best, 3) > toy.successRate(learner, 3) + 0.4);
    }

    /** The same turns under an outcome that says the opposite. */
    private static Trajectory withAnotherOutcome(Trajectory trajectory) {
        Trajectory.Builder copy =
                Trajectory.builder(trajectory.task(), trajectory.instruction())
                        .episode(trajectory.episode())
                        .seed(trajectory.seed())
                        .policyId(trajectory.policyId());
        for (Turn turn : trajectory.turns()) {
            copy.add(Turn.of(turn.observation(), turn.decision(), turn.feedback(), 17));
        }
        return copy.end(
                trajectory.finalObservation(),
                new EpisodeEnd.Terminated(
                        EpisodeEnd.Reason.STEP_LIMIT, 0.37, !trajectory.success()));
    }

    private static Trajectory ending(Trajectory trajectory, EpisodeEnd end) {
        Trajectory.Builder copy = Trajectory.builder(trajectory.task(), trajectory.instruction());
        trajectory.turns().forEach(copy::add);
        return copy.end(trajectory.finalObservation(), end);
    }

    private static List<Trajectory> withOtherOutcomes(List<Trajectory> trajectories) {
        return trajectories.stream().map(InversePrmTest::withAnotherOutcome).toList();
    }

    @Test
    void outcomesAreNotLookedAt() {
        TabularModel one = toy.model();
        TabularModel other = toy.model();
        OptimizationReport report = learn(config().holdOut(oneOfTwo()), one, imitation);
        assertEquals(
                report,
                learn(
                        config().holdOut(oneOfTwo()),
                        other,
                        new Imitation(
                                withOtherOutcomes(imitation.demonstrations()),
                                withOtherOutcomes(imitation.rollouts()),
                                learner)));
        assertEquals(one.weightsHash(), other.weightsHash());
    }

    @Test
    void aCancelledTrainingResumesToTheSameModel(@TempDir Path one, @TempDir Path two) {
        InversePrmConfig.Builder config = config().epochs(3).holdOut(oneOfTwo());
        TabularModel straight = toy.model();
        OptimizationReport undisturbed =
                learn(config, straight, toy.renderer(), imitation, RecordingContext.of(7, one));
        assertThrows(
                CancelledException.class,
                () ->
                        learn(
                                config,
                                toy.model(),
                                toy.renderer(),
                                imitation,
                                RecordingContext.of(7, two).stoppingAtLook(6)));
        TabularModel resumed = toy.model();
        assertEquals(
                undisturbed,
                learn(config, resumed, toy.renderer(), imitation, RecordingContext.of(7, two)));
        assertEquals(straight.weightsHash(), resumed.weightsHash());
    }

    /** Otherwise a turn would be torn from the next action that it is measured against. */
    @Test
    void theRowsOfATrajectoryAreNeverSplit() {
        List<TabularModel> models = new ArrayList<>();
        for (StateRenderer renderer :
                List.of(ToyRenderer.of(toy.mdp().tokenizer(), 1), toy.renderer())) {
            for (int microBatch : new int[] {1, 1 << 16}) {
                TabularModel model = toy.sgdModel();
                learn(
                        config().microBatchTokens(microBatch),
                        model,
                        renderer,
                        imitation,
                        RunContext.ofSeed(1));
                models.add(model);
            }
        }
        int[] first = toy.tokens("fetch", "hall", "left", ".");
        for (TabularModel model : models) {
            assertTrue(model.scoreAt(first) != 0);
        }
        assertEquals(models.get(0).scoreAt(first), models.get(1).scoreAt(first), 1e-9);
        assertEquals(models.get(2).scoreAt(first), models.get(3).scoreAt(first), 1e-9);
        assertEquals(
                models.get(0).scoreAt(toy.tokens("fetch", "kitchen", "open", ".")),
                models.get(1).scoreAt(toy.tokens("fetch", "kitchen", "open", ".")),
                1e-9);
    }

    private Trajectory longOne(List<Trajectory> from) {
        return from.stream().filter(t -> t.length() == 4).findFirst().orElseThrow();
    }

    @Test
    void nextActionsOfTheExpertAreBranchesAndThoseOfTheLearnerTheLoggedOnes() {
        TransitionRows rowsOf = new TransitionRows(toy.renderer());
        Trajectory trajectory = longOne(imitation.rollouts());
        List<Decision> next =
                List.of(Decision.of("right"), Decision.of("left"), Decision.of("open"));
        TrainingRow row = rowsOf.of(trajectory, true, Optional.of(next), 3).get(0);
        TokenTree tree = row.tree();
        assertEquals(3, row.group());
        assertEquals(4, tree.segments().size());
        assertArrayEquals(
                new double[] {1, 2, 3, InversePrmLoss.END}, row.values(InversePrmLoss.NEXT, 0));
        for (int t = 0; t < 3; t++) {
            assertEquals(
                    toy.renderer().trajectory(trajectory).get(0).replies().get(t + 1).start(),
                    tree.fork(t + 1));
            assertArrayEquals(toy.renderer().reply(next.get(t)), tree.segment(t + 1).tokens());
        }
        TrainingRow logged = rowsOf.of(trajectory, false, Optional.empty(), 0).get(0);
        assertEquals(1, logged.tree().segments().size());
        assertArrayEquals(
                new double[] {
                    InversePrmLoss.LOGGED,
                    InversePrmLoss.LOGGED,
                    InversePrmLoss.LOGGED,
                    InversePrmLoss.END
                },
                logged.values(InversePrmLoss.NEXT, 0));
        assertArrayEquals(new double[4], logged.values(TrainingRow.LABEL, 0));
    }

    /** So that positions of replies and of turns cannot drift apart after an end. */
    @Test
    void aNextActionInTheNextSegmentBranchesOffThere() {
        TransitionRows rowsOf = new TransitionRows(ToyRenderer.of(toy.mdp().tokenizer(), 3));
        List<Decision> next =
                List.of(Decision.of("right"), Decision.of("left"), Decision.of("open"));
        List<TrainingRow> rows =
                rowsOf.of(longOne(imitation.rollouts()), true, Optional.of(next), 0);
        assertEquals(3, rows.get(0).tree().segments().size());
        assertArrayEquals(new double[] {1, 2, 1}, rows.get(0).values(InversePrmLoss.NEXT, 0));
        assertArrayEquals(
                toy.renderer().reply(next.get(2)), rows.get(1).tree().segment(1).tokens());
        assertArrayEquals(
                new double[] {InversePrmLoss.END}, rows.get(1).values(InversePrmLoss.NEXT, 0));
    }

    @Test
    void whatNobodyMeantAndWhatWasCutOffDoNotCount() {
        TransitionRows rowsOf = new TransitionRows(toy.renderer());
        Trajectory whole = longOne(imitation.rollouts());
        Trajectory.Builder builder = Trajectory.builder(whole.task(), whole.instruction());
        for (int t = 0; t < 4; t++) {
            Turn turn = whole.turns().get(t);
            Decision decision = turn.decision().toBuilder().deliberate(t != 1).build();
            builder.add(Turn.of(turn.observation(), decision, turn.feedback(), 0));
        }
        Trajectory noisy =
                builder.end(whole.finalObservation(), new EpisodeEnd.Truncated("budget"));
        assertArrayEquals(
                new double[] {1, 0, 1, 0},
                rowsOf.of(noisy, true, Optional.empty(), 0).get(0).values(TrainingRow.WEIGHT, 0));
        assertArrayEquals(
                new double[] {1, 0, 1, 0},
                rowsOf.of(noisy, false, Optional.empty(), 0).get(0).values(TrainingRow.WEIGHT, 0));
    }

    @Test
    void nextActionsAreDrawnFromTheCurrentPolicyAndKeyedByTurn() {
        List<Trajectory> trajectories = imitation.demonstrations();
        List<List<Decision>> drawn =
                new NextActionSampler(learner, 1, RunContext.ofSeed(5)).sample(trajectories);
        for (int i = 0; i < drawn.size(); i++) {
            assertEquals(trajectories.get(i).length() - 1, drawn.get(i).size());
        }
        Map<String, Long> counts =
                drawn.stream()
                        .flatMap(List::stream)
                        .collect(
                                Collectors.groupingBy(
                                        decision -> decision.action().text(),
                                        Collectors.counting()));
        assertEquals(3, counts.size(), counts::toString);
        List<Trajectory> some = trajectories.subList(7, 9);
        List<List<Decision>> again =
                new NextActionSampler(learner, 1, RunContext.ofSeed(5)).sample(some);
        assertEquals(drawn.subList(7, 9).toString(), again.toString());
        List<List<Decision>> greedy =
                new NextActionSampler(learner, 0, RunContext.ofSeed(5)).sample(trajectories);
        assertEquals(
                1,
                greedy.stream().flatMap(List::stream).map(Decision::toString).distinct().count());
    }

    @Test
    void expertAndLearnerAreEvenAndSoAreAllPastPolicies() {
        List<Trajectory> rollouts = new ArrayList<>();
        rollouts.addAll(toy.rollouts(toy.policy("pi-0", toy.sgdModel()), 30, 1));
        rollouts.addAll(toy.rollouts(toy.policy("pi-1", toy.sgdModel()), 10, 1));
        Trajectory any = rollouts.get(0);
        rollouts.add(ending(any, new EpisodeEnd.Aborted("deadline")));
        Sides sides =
                Sides.balanced(
                        new Imitation(imitation.demonstrations(), rollouts, learner),
                        RandomSource.of(1));
        assertEquals(40, sides.expert().size());
        assertEquals(
                Map.of("pi-0", 20L, "pi-1", 20L),
                sides.learner().stream()
                        .collect(
                                Collectors.groupingBy(
                                        Trajectory::policyId, Collectors.counting())));
        Sides few =
                Sides.balanced(
                        new Imitation(imitation.demonstrations().subList(0, 7), rollouts, learner),
                        RandomSource.of(1));
        assertEquals(6, few.expert().size());
        assertEquals(6, few.learner().size());
    }

    @Test
    void whatIsMissingIsSaid() {
        TabularModel model = toy.model();
        assertMissing(
                "was given neither",
                () ->
                        new InversePrmProvider()
                                .create(config().build(), Wiring.none(), RunContext.ofSeed(1))
                                .learn(model, toy.renderer(), List.of(), RunContext.ofSeed(1)));
        assertMissing(
                "0 demonstrations",
                () ->
                        learn(
                                config(),
                                model,
                                new Imitation(List.of(), imitation.rollouts(), learner)));
        assertMissing(
                "0 policies",
                () ->
                        learn(
                                config(),
                                model,
                                new Imitation(imitation.demonstrations(), List.of(), learner)));
    }

    private static void assertMissing(String what, Runnable learning) {
        AlgorithmException error = assertThrows(AlgorithmException.class, learning::run);
        assertTrue(error.getMessage().contains(what), error.getMessage());
    }

    @Test
    void theLearnerSaysWhatItNeedsAndWhatItsScoresMean() {
        RewardLearner made =
                new InversePrmProvider()
                        .create(config().build(), Wiring.none(), RunContext.ofSeed(1));
        assertEquals(RewardLearner.Supervision.DEMONSTRATIONS, made.supervision());
        assertEquals(ScoreScale.UNBOUNDED, made.scale());
    }
}
