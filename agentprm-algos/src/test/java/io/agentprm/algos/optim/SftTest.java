package io.agentprm.algos.optim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.policy.Wiring;
import io.agentprm.api.env.Action;
import io.agentprm.api.lm.RenderedSegment;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.api.optim.OptimizationRequest;
import io.agentprm.api.run.CancelledException;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.trajectory.Decision;
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

class SftTest {
    private final ToySetup toy = ToySetup.house();

    private static SftConfig config(int epochs, int batch, int tokens, double holdOut) {
        return SftConfig.builder()
                .epochs(epochs)
                .batchTrajectories(batch)
                .batchTokens(tokens)
                .learningRate(0.3)
                .warmup(0.1)
                .microBatchTokens(64)
                .holdOut(holdOut)
                .build();
    }

    private OptimizationReport train(
            SftConfig config, TabularModel model, List<Trajectory> data, RunContext context) {
        return new SftProvider()
                .create(config, Wiring.none(), context)
                .optimize(OptimizationRequest.of(toy.policy("pi", model), data, context));
    }

    private List<Trajectory> demonstrations() {
        List<Trajectory> all = new ArrayList<>(toy.rollouts(ScriptedPolicy.random(), 20, 1));
        all.addAll(toy.rollouts(ScriptedPolicy.sequence("left", "open"), 20, 1));
        return all;
    }

    @Test
    void theMaskCoversDeliberateRepliesWithTheirEndOfTurnAndNothingElse() {
        ScriptedPolicy noisy =
                ScriptedPolicy.of(
                        "noisy",
                        (state, random) ->
                                Decision.builder(Action.text("left"))
                                        .deliberate(state.turn() != 1)
                                        .build());
        Trajectory trajectory = toy.rollouts(noisy, 1, 1).get(0);
        List<TrainingRow> rows = new SupervisedRows(toy.renderer()).of(trajectory);
        assertEquals(1, rows.size());
        TokenSegment trunk = rows.get(0).tree().segment(0);
        RenderedSegment rendered = toy.renderer().trajectory(trajectory).get(0);
        for (RenderedSegment.Reply reply : rendered.replies()) {
            for (int p = reply.start(); p < reply.end(); p++) {
                assertEquals(reply.turn() != 1, trunk.isSupervised(p));
            }
        }
        assertEquals(2 * (trajectory.length() - 1), trunk.supervisedCount());
        int end = rendered.replies().get(0).end() - 1;
        assertEquals(toy.mdp().tokenizer().endOfTurn(), trunk.token(end));
        assertTrue(trunk.isSupervised(end));
    }

    @Test
    void maximumLikelihoodIsTheFrequencyInTheDemonstrations() {
        List<Trajectory> data = demonstrations();
        TabularModel model = toy.model();
        train(config(200, 80, 0, 0), model, data, RunContext.ofSeed(1));
        double left =
                data.stream()
                                .filter(t -> t.instruction().equals("fetch"))
                                .filter(t -> first(t).equals("left"))
                                .count()
                        / 40.0;
        assertEquals(left, toy.probability(model, "left", "fetch", "hall"), 0.01);
    }

    private static String first(Trajectory trajectory) {
        return trajectory.turns().get(0).decision().action().text();
    }

    @Test
    void theLearningRateEndsNearZeroOverTheTrueNumberOfTrajectories(@TempDir Path directory) {
        RecordingContext context = RecordingContext.of(1, directory);
        OptimizationReport report =
                train(config(3, 7, 0, 0), toy.model(), demonstrations(), context);
        List<Double> rates = context.series("sft.learning-rate");
        assertEquals(36, report.steps());
        assertEquals(
                Optional.of("at most 36 steps of 7 trajectories"),
                new SftProvider()
                        .create(config(3, 7, 0, 0), Wiring.none(), context)
                        .plan(demonstrations().size()));
        assertEquals(36, rates.size());
        assertEquals(0.3, rates.stream().mapToDouble(r -> r).max().orElseThrow(), 0.01);
        assertTrue(rates.get(35) < 0.3 * 0.01, rates::toString);
    }

    @Test
    void batchesMayBeCutByTokens(@TempDir Path directory) {
        RecordingContext context = RecordingContext.of(1, directory);
        OptimizationReport report =
                train(config(1, 1, 40, 0), toy.model(), demonstrations(), context);
        int tokens =
                demonstrations().stream()
                        .mapToInt(t -> toy.renderer().trajectory(t).get(0).tokens().length)
                        .sum();
        assertTrue(report.steps() >= tokens / 40 && report.steps() <= 80, report::toString);
    }

    @Test
    void aCancelledTrainingResumesToTheSameModel(@TempDir Path one, @TempDir Path two) {
        List<Trajectory> data = demonstrations();
        TabularModel straight = toy.model();
        OptimizationReport undisturbed =
                train(config(3, 7, 0, 0.5), straight, data, RecordingContext.of(1, one));
        TabularModel stopped = toy.model();
        assertThrows(
                CancelledException.class,
                () ->
                        train(
                                config(3, 7, 0, 0.5),
                                stopped,
                                data,
                                RecordingContext.of(1, two).stoppingAtLook(6)));
        TabularModel resumed = toy.model();
        OptimizationReport report =
                train(config(3, 7, 0, 0.5), resumed, data, RecordingContext.of(1, two));
        assertEquals(undisturbed, report);
        assertEquals(straight.weightsHash(), resumed.weightsHash());
    }

    @Test
    void segmentsOfOneTrajectoryAreAllTrainedOn() {
        Trajectory trajectory = toy.rollouts(ScriptedPolicy.sequence("left", "left"), 1, 1).get(0);
        assertEquals(
                2,
                new SupervisedRows(ToyRenderer.of(toy.mdp().tokenizer(), 2)).of(trajectory).size());
    }

    @Test
    void nothingToLearnFromIsAnError() {
        AlgorithmException error =
                assertThrows(
                        AlgorithmException.class,
                        () ->
                                train(
                                        config(1, 4, 0, 0),
                                        toy.model(),
                                        toy.rollouts(
                                                ScriptedPolicy.of(
                                                        "noise",
                                                        (state, random) ->
                                                                Decision.builder(
                                                                                Action.text("left"))
                                                                        .deliberate(false)
                                                                        .build()),
                                                1,
                                                1),
                                        RunContext.ofSeed(1)));
        assertTrue(error.getMessage().contains("reply to learn from"), error::getMessage);
    }
}
