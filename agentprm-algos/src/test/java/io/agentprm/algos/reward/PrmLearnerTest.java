package io.agentprm.algos.reward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.optim.ToySetup;
import io.agentprm.algos.policy.Wiring;
import io.agentprm.algos.target.McConfig;
import io.agentprm.algos.target.McEstimator;
import io.agentprm.algos.target.TdGaeConfig;
import io.agentprm.algos.target.TdGaeEstimator;
import io.agentprm.algos.train.TaskSplit;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.optim.LearningRequest;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.api.run.CancelledException;
import io.agentprm.api.run.Metrics;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.target.BootstrappedTargets;
import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.target.TurnLabel;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.testkit.RecordingContext;
import io.agentprm.testkit.ScriptedPolicy;
import io.agentprm.testkit.TabularModel;
import io.agentprm.testkit.ToyRenderer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrmLearnerTest {
    private final ToySetup toy = ToySetup.house();
    private final List<LabelledTrajectory> labelled =
            McEstimator.of(McConfig.defaults(), Metrics.none())
                    .estimate(toy.rollouts(ScriptedPolicy.random(), 30, 3));

    private static PrmConfig config(int epochs, double holdOut, PrmConfig.Weighting weighting) {
        return PrmConfig.builder()
                .epochs(epochs)
                .learningRate(0.3)
                .weighting(weighting)
                .maxGradientNorm(10)
                .microBatchTokens(64)
                .holdOut(holdOut)
                .build();
    }

    /** A share that holds out one of the two tasks. */
    private double oneOfTwo() {
        for (double share = 0.01; share < 1; share += 0.01) {
            if (labelled.stream().map(l -> l.trajectory()).anyMatch(TaskSplit.heldOut(share))) {
                return share;
            }
        }
        return 1;
    }

    private OptimizationReport learn(PrmConfig config, TabularModel model, RunContext context) {
        return new PrmProvider()
                .create(config, Wiring.none(), context)
                .learn(model, toy.renderer(), labelled, context);
    }

    @Test
    void allTurnsOfATrajectoryAreMarkedInOnePass() {
        LabelledTrajectory one =
                labelled.stream()
                        .filter(l -> l.trajectory().length() == 4)
                        .findFirst()
                        .orElseThrow();
        LabelledRows rows = new LabelledRows(toy.renderer(), PrmConfig.Weighting.PER_GROUP);
        List<TrainingRow> whole = rows.of(one);
        assertEquals(1, whole.size());
        assertEquals(4, whole.get(0).tree().segment(0).markCount());
        for (int m = 0; m < 4; m++) {
            int mark = whole.get(0).tree().segment(0).mark(m);
            assertEquals(
                    toy.mdp().tokenizer().endOfTurn(), whole.get(0).tree().segment(0).token(mark));
            assertEquals(
                    1.0 / one.labels().get(m).orElseThrow().visits(),
                    whole.get(0).values(TrainingRow.WEIGHT, 0)[m]);
        }
        LabelledRows cut =
                new LabelledRows(
                        ToyRenderer.of(toy.mdp().tokenizer(), 3), PrmConfig.Weighting.PER_VISIT);
        assertEquals(2, cut.of(one).size());
        assertEquals(1, cut.of(one).get(1).tree().segment(0).markCount());
    }

    @Test
    void turnsWithoutALabelAreNotMarked() {
        Trajectory trajectory = labelled.get(0).trajectory();
        List<Optional<TurnLabel>> labels = new java.util.ArrayList<>(labelled.get(0).labels());
        labels.set(0, Optional.empty());
        LabelledTrajectory partly = LabelledTrajectory.of(trajectory, labels);
        List<TrainingRow> rows =
                new LabelledRows(toy.renderer(), PrmConfig.Weighting.PER_VISIT).of(partly);
        int marks = rows.stream().mapToInt(row -> row.tree().segment(0).markCount()).sum();
        assertEquals(trajectory.length() - 1, marks);
    }

    @Test
    void scoresConvergeToTheMeanLabelOfEveryTurn() {
        TabularModel model = toy.model();
        learn(config(150, 0, PrmConfig.Weighting.PER_VISIT), model, RunContext.ofSeed(1));
        for (LabelledTrajectory one : labelled) {
            int[] tokens = toy.renderer().trajectory(one.trajectory()).get(0).tokens();
            for (var reply : toy.renderer().trajectory(one.trajectory()).get(0).replies()) {
                int[] prefix = java.util.Arrays.copyOf(tokens, reply.end());
                double probability = 1 / (1 + Math.exp(-model.scoreAt(prefix)));
                assertEquals(
                        one.labels().get(reply.turn()).orElseThrow().value(), probability, 0.03);
            }
        }
    }

    @Test
    void heldOutTasksAreMeasuredAndNotTrainedOn(@TempDir Path directory) {
        RecordingContext context = RecordingContext.of(1, directory);
        TabularModel model = toy.model();
        PrmConfig config = config(3, oneOfTwo(), PrmConfig.Weighting.PER_GROUP);
        OptimizationReport report = learn(config, model, context);
        assertEquals(4, context.series("prm.held-out-loss").size());
        assertEquals(6, report.steps());
        boolean fetchTrained = model.scoreAt(toy.tokens("fetch", "hall", "open", ".")) != 0;
        boolean searchTrained = model.scoreAt(toy.tokens("search", "cellar", "left", ".")) != 0;
        assertTrue(fetchTrained ^ searchTrained);
        assertTrue(report.summary().containsKey("prm.held-out-auc"));
    }

    @Test
    void aCancelledTrainingResumesToTheSameModel(@TempDir Path one, @TempDir Path two) {
        PrmConfig config = config(4, oneOfTwo(), PrmConfig.Weighting.PER_VISIT);
        TabularModel straight = toy.model();
        OptimizationReport undisturbed = learn(config, straight, RecordingContext.of(7, one));
        assertThrows(
                CancelledException.class,
                () -> learn(config, toy.model(), RecordingContext.of(7, two).stoppingAtLook(4)));
        TabularModel resumed = toy.model();
        assertEquals(undisturbed, learn(config, resumed, RecordingContext.of(7, two)));
        assertEquals(straight.weightsHash(), resumed.weightsHash());
    }

    private static final BootstrappedTargets TD_GAE =
            new TdGaeEstimator(TdGaeConfig.defaults(), Metrics.none());

    private OptimizationReport learnByTd(
            PrmConfig config, TabularModel model, StateRenderer renderer, RunContext context) {
        List<Trajectory> episodes = labelled.stream().map(l -> l.trajectory()).toList();
        return new PrmProvider()
                .create(config, Wiring.none(), context)
                .learn(
                        LearningRequest.of(model, renderer, TD_GAE.estimate(episodes), context)
                                .with(TD_GAE));
    }

    @Test
    void aTrainingByCurrentValuesResumesToTheSameModel(@TempDir Path one, @TempDir Path two) {
        PrmConfig config = config(4, oneOfTwo(), PrmConfig.Weighting.PER_VISIT);
        TabularModel straight = toy.model();
        OptimizationReport undisturbed =
                learnByTd(config, straight, toy.renderer(), RecordingContext.of(7, one));
        assertTrue(undisturbed.summary().containsKey("prm.progress"));
        assertThrows(
                CancelledException.class,
                () ->
                        learnByTd(
                                config,
                                toy.model(),
                                toy.renderer(),
                                RecordingContext.of(7, two).stoppingAtLook(4)));
        TabularModel resumed = toy.model();
        assertEquals(
                undisturbed,
                learnByTd(config, resumed, toy.renderer(), RecordingContext.of(7, two)));
        assertEquals(straight.weightsHash(), resumed.weightsHash());
    }

    /** Otherwise a part of a trajectory would be bootstrapped as if it were the whole. */
    @Test
    void theRowsOfATrajectoryAreNeverSplit() {
        ToyRenderer cut = ToyRenderer.of(toy.mdp().tokenizer(), 1);
        List<Long> hashes = new ArrayList<>();
        List<OptimizationReport> reports = new ArrayList<>();
        for (int microBatch : new int[] {1, 1 << 16}) {
            TabularModel model = toy.sgdModel();
            PrmConfig config =
                    PrmConfig.builder()
                            .epochs(2)
                            .learningRate(0.3)
                            .microBatchTokens(microBatch)
                            .holdOut(oneOfTwo())
                            .build();
            reports.add(learnByTd(config, model, cut, RunContext.ofSeed(1)));
            hashes.add(Math.round(1e9 * model.scoreAt(toy.tokens("fetch", "hall", "left", "."))));
        }
        assertEquals(hashes.get(0), hashes.get(1));
        reports.get(0)
                .summary()
                .forEach(
                        (name, value) ->
                                assertEquals(
                                        value, reports.get(1).summary().get(name), 1e-9, name));
    }

    @Test
    void theLossFollowsTheTargetsUnlessItIsGiven() {
        PrmConfig auto = config(1, 0, PrmConfig.Weighting.PER_VISIT);
        RunContext context = RunContext.ofSeed(1);
        assertFalse(learn(auto, toy.model(), context).summary().containsKey("prm.progress"));
        assertTrue(
                learnByTd(auto, toy.model(), toy.renderer(), context)
                        .summary()
                        .containsKey("prm.progress"));
        PrmConfig bce = PrmConfig.builder().loss(PrmConfig.Loss.SOFT_BCE).holdOut(0).build();
        assertFalse(
                learnByTd(bce, toy.model(), toy.renderer(), context)
                        .summary()
                        .containsKey("prm.progress"));
    }

    @Test
    void nothingToTrainOnIsAnError() {
        assertThrows(
                AlgorithmException.class,
                () ->
                        new PrmProvider()
                                .create(
                                        config(1, 0, PrmConfig.Weighting.PER_VISIT),
                                        Wiring.none(),
                                        RunContext.ofSeed(1))
                                .learn(
                                        toy.model(),
                                        toy.renderer(),
                                        List.of(),
                                        RunContext.ofSeed(1)));
    }

    @Test
    void areaUnderTheCurveCountsTiesHalf() {
        assertEquals(
                0.875,
                AreaUnderCurve.of(
                                List.of(
                                        new AreaUnderCurve.Case(0.1, false),
                                        new AreaUnderCurve.Case(0.4, false),
                                        new AreaUnderCurve.Case(0.4, true),
                                        new AreaUnderCurve.Case(0.9, true)))
                        .orElseThrow());
        assertFalse(AreaUnderCurve.of(List.of(new AreaUnderCurve.Case(1, true))).isPresent());
    }
}
