package io.agentprm.core.eval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.EnvironmentInfo;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Task;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import io.agentprm.core.RunException;
import io.agentprm.core.files.DurableFiles;
import io.agentprm.core.report.Calibration;
import io.agentprm.core.report.Estimate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvaluationTest {
    private static final EpisodeEnd WON =
            new EpisodeEnd.Terminated(EpisodeEnd.Reason.GOAL, 1, true);
    private static final EpisodeEnd LOST =
            new EpisodeEnd.Terminated(EpisodeEnd.Reason.FAILURE, 0, false);

    private static EpisodeEnd partly(double outcome) {
        return new EpisodeEnd.Terminated(EpisodeEnd.Reason.FAILURE, outcome, false);
    }

    private static Trajectory episode(String task, int number, int turns, EpisodeEnd end) {
        Trajectory.Builder builder =
                Trajectory.builder(Task.of(task, "valid", "c-" + task.charAt(0)), "")
                        .episode(number)
                        .seed(task.hashCode() * 31L + number);
        for (int t = 0; t < turns; t++) {
            builder.add(
                    t == 0
                            ? Turn.of(
                                    Observation.text(""),
                                    Decision.builder(Action.text("")).parseFailure("none").build(),
                                    new ActionFeedback.Invalid("empty"),
                                    0)
                            : Turn.of(
                                    Observation.text(""),
                                    Decision.of("go"),
                                    new ActionFeedback.Valid(),
                                    0));
        }
        return builder.end(Observation.text(""), end);
    }

    private static EvaluationReport report(String hash, List<Trajectory> episodes) {
        return EvaluationReport.of(
                EvaluationSetup.of(
                        "pi-1",
                        "temperature 0.3, free",
                        1,
                        EnvironmentInfo.of("toy", "1", hash, 10),
                        "valid",
                        7,
                        Map.of("agentprm", "1")),
                episodes,
                Measure.graded(episodes),
                123_456_789_012L);
    }

    @Test
    void aReportCountsEpisodesByCategoryAndFailuresAsTheStepLimit() {
        EvaluationReport report =
                report(
                        "h",
                        List.of(
                                episode("a1", 0, 4, WON),
                                episode("a1", 1, 2, LOST),
                                episode("b1", 0, 3, new EpisodeEnd.Truncated("budget")),
                                episode("b1", 1, 1, new EpisodeEnd.Aborted("hung"))));
        assertEquals(4, report.all().episodes());
        assertEquals(1, report.all().successes());
        assertEquals(1, report.all().truncated());
        assertEquals(1, report.all().aborted());
        assertEquals((4 + 10 + 10 + 10) / 4.0, report.all().meanActions());
        assertEquals(4 / 10.0, report.all().invalidActionRate());
        assertEquals(4 / 10.0, report.all().parseFailureRate());
        assertEquals(2, report.tasks());
        assertEquals(List.of("c-a", "c-b"), List.copyOf(report.categories().keySet()));
        assertEquals(0.5, report.categories().get("c-a").success().value());
        assertEquals("pi-1", report.toRow("policy").agent());
        assertEquals(2, report.toRow("policy").categories().size());
    }

    @Test
    void aReportSurvivesTheRoundTripAndToleratesNewFields(@TempDir Path directory)
            throws Exception {
        EvaluationReport report =
                report("h", List.of(episode("a1", 0, 4, WON), episode("a2", 0, 4, partly(.3))));
        Path file = directory.resolve("evaluation.json");
        report.write(file, DurableFiles.standard());
        assertEquals(report, EvaluationReport.read(file));
        String text = Files.readString(file);
        Files.writeString(file, text.replaceFirst("\\{", "{\"foo\": 1,"));
        assertEquals(report, EvaluationReport.read(file));
        Files.writeString(file, text.replace("evaluation/1", "evaluation/2"));
        assertThrows(RunException.class, () -> EvaluationReport.read(file));
    }

    @Test
    void anOutcomeBetweenZeroAndOneGivesEveryRowAScore() {
        EvaluationReport report =
                report(
                        "h",
                        List.of(
                                episode("a1", 0, 1, WON),
                                episode("a1", 1, 1, partly(.5)),
                                episode("b1", 0, 1, LOST),
                                episode("b1", 1, 1, new EpisodeEnd.Aborted("hung")),
                                episode("b2", 0, 1, new EpisodeEnd.Truncated("budget"))));
        assertEquals(1.5 / 5, score(report.all()).value(), 1e-12, "no outcome counts 0");
        assertEquals(0.2, report.all().success().value(), 1e-12);
        assertEquals(new Estimate(.75, .75, .75), score(report.categories().get("c-a")));
        assertEquals(new Estimate(0, 0, 0), score(report.categories().get("c-b")));
        assertEquals(report.all().score(), report.toRow("policy").score());
        assertEquals(
                report.categories().get("c-a").score(),
                report.toRow("policy").categories().get(0).score());
    }

    @Test
    void aFailureCountsAsTheStepLimitUnlessItEndedByItselfAndIsGraded() {
        Trajectory won = episode("a1", 0, 4, WON);
        Trajectory lost = episode("a2", 0, 5, LOST);
        Trajectory hung = episode("a3", 0, 2, new EpisodeEnd.Aborted("hung"));
        int limit = report("h", List.of(won)).setup().stepLimit();
        assertEquals(
                (4.0 + limit + limit) / 3,
                report("h", List.of(won, lost, hung)).all().meanActions());
        assertEquals(
                (4.0 + 5 + limit + 3) / 4,
                report("h", List.of(won, lost, hung, episode("a4", 0, 3, partly(.5))))
                        .all()
                        .meanActions());
    }

    private static Estimate score(Tally tally) {
        return tally.score().orElseThrow();
    }

    @Test
    void outcomesOfZeroAndOneLeaveAReportAsItWas(@TempDir Path directory) throws Exception {
        EvaluationReport report =
                report(
                        "h",
                        List.of(
                                episode("a1", 0, 1, WON),
                                episode("a2", 0, 1, LOST),
                                episode("a3", 0, 1, new EpisodeEnd.Aborted("hung"))));
        assertEquals(Optional.empty(), report.all().score());
        Path file = directory.resolve("evaluation.json");
        report.write(file, DurableFiles.standard());
        assertFalse(Files.readString(file).contains("score"));
    }

    @Test
    void theIntervalOfAScoreIsOneOverTasks() {
        List<Trajectory> episodes = new ArrayList<>();
        for (int task = 0; task < 60; task++) {
            for (int number = 0; number < 4; number++) {
                episodes.add(episode("a" + task, number, 1, partly(task % 2 == 0 ? .25 : .75)));
            }
        }
        Estimate score = score(report("h", episodes).all());
        assertEquals(0.5, score.value(), 1e-12);
        // Standard error over tasks: 0.25 / sqrt(60) = 0.0323; over episodes it would be half.
        assertEquals(0.5 - 1.96 * 0.0323, score.low(), 0.01);
        assertEquals(0.5 + 1.96 * 0.0323, score.high(), 0.01);
        Collections.reverse(episodes);
        assertEquals(score, score(report("h", episodes).all()), "the order changes nothing");
    }

    @Test
    void aDifferenceOfScorePairsTheOutcomes() {
        List<Trajectory> first =
                List.of(episode("a", 0, 1, partly(.75)), episode("b", 0, 1, partly(.5)));
        List<Trajectory> second =
                List.of(episode("b", 0, 1, partly(.25)), episode("a", 0, 1, LOST));
        RandomSource random = RandomSource.of(1);
        assertEquals(
                new Estimate(.5, .25, .75),
                PairedBootstrap.difference(first, second, Measure.SCORE, random).difference());
        assertEquals(
                Estimate.exact(0),
                PairedBootstrap.difference(first, second, Measure.SUCCESS, random).difference());
    }

    @Test
    void comparingReportsOnDifferentContentWarns() {
        List<Trajectory> episodes = List.of(episode("a1", 0, 4, WON));
        assertEquals(List.of(), report("h", episodes).differences(report("h", episodes)));
        assertEquals(
                List.of("results are not comparable: content hash h against g"),
                report("h", episodes).differences(report("g", episodes)));
    }

    /** Expected values from an independent implementation; 122 of 134 is the paper's best. */
    @Test
    void wilsonIntervalsAgreeWithKnownValues() {
        Estimate best = Wilson.interval(122, 134);
        assertEquals(0.910448, best.value(), 1e-6);
        assertEquals(0.849988, best.low(), 1e-6);
        assertEquals(0.948030, best.high(), 1e-6);
        Estimate half = Wilson.interval(5, 10);
        assertEquals(0.236593, half.low(), 1e-6);
        assertEquals(0.763407, half.high(), 1e-6);
        assertEquals(new Estimate(0, 0, 1), Wilson.interval(0, 0));
        assertEquals(0, Wilson.interval(0, 10).low());
        assertEquals(0.277533, Wilson.interval(0, 10).high(), 1e-6);
        assertEquals(1, Wilson.interval(10, 10).high());
        assertThrows(IllegalArgumentException.class, () -> Wilson.interval(3, 2));
    }

    @Test
    void runsArePooledByTask() {
        List<Trajectory> won = List.of(episode("a", 0, 1, WON), episode("b", 0, 1, WON));
        List<Trajectory> mixed = List.of(episode("a", 0, 1, LOST), episode("b", 0, 1, WON));
        List<PairedBootstrap.Sides> runs =
                List.of(
                        new PairedBootstrap.Sides(won, mixed),
                        new PairedBootstrap.Sides(won, mixed),
                        new PairedBootstrap.Sides(won, won));
        PairedBootstrap.Result pooled =
                PairedBootstrap.difference(runs, Measure.SUCCESS, RandomSource.of(1));
        assertEquals(6, pooled.pairs());
        assertEquals(2, pooled.tasks(), "the same tasks in every run");
        assertEquals(2.0 / 6, pooled.difference().value(), 1e-12);
        assertEquals(0, pooled.difference().low(), "both draws may be task b");
        assertEquals(2.0 / 3, pooled.difference().high(), 1e-12, "or task a");
    }

    @Test
    void thePairedBootstrapIsKeyedAndDoesNotDependOnTheOrderOfEpisodes() {
        List<Trajectory> first = new ArrayList<>();
        List<Trajectory> second = new ArrayList<>();
        for (int task = 0; task < 60; task++) {
            for (int episode = 0; episode < 2; episode++) {
                first.add(episode("a" + task, episode, 3, task % 4 == 0 ? LOST : WON));
                second.add(episode("a" + task, episode, 3, task % 2 == 0 ? LOST : WON));
            }
        }
        PairedBootstrap.Result result =
                PairedBootstrap.difference(first, second, Measure.SUCCESS, RandomSource.of(1));
        assertEquals(120, result.pairs());
        assertEquals(60, result.tasks());
        assertEquals(0.25, result.difference().value(), 1e-12);
        // Standard error over tasks: sqrt(0.25 * 0.75 / 60) = 0.0559.
        assertEquals(0.25 - 1.96 * 0.0559, result.difference().low(), 0.02);
        assertEquals(0.25 + 1.96 * 0.0559, result.difference().high(), 0.02);
        Collections.reverse(first);
        assertEquals(
                result,
                PairedBootstrap.difference(first, second, Measure.SUCCESS, RandomSource.of(1)));
    }

    @Test
    void episodesOfOneTaskAreNotTakenForIndependent() {
        List<Trajectory> first = new ArrayList<>();
        List<Trajectory> second = new ArrayList<>();
        for (int task = 0; task < 10; task++) {
            for (int episode = 0; episode < 50; episode++) {
                first.add(episode("a" + task, episode, 1, task < 5 ? WON : LOST));
                second.add(episode("a" + task, episode, 1, LOST));
            }
        }
        Estimate difference =
                PairedBootstrap.difference(first, second, Measure.SUCCESS, RandomSource.of(1))
                        .difference();
        assertTrue(difference.high() - difference.low() > 0.5, difference.toString());
    }

    @Test
    void aComparisonOfDifferentEpisodesIsRefused() {
        RandomSource random = RandomSource.of(1);
        List<Trajectory> one = List.of(episode("a", 0, 1, WON));
        assertThrows(
                RunException.class,
                () ->
                        PairedBootstrap.difference(
                                one, List.of(episode("b", 0, 1, WON)), Measure.SUCCESS, random));
        assertThrows(
                RunException.class,
                () ->
                        PairedBootstrap.difference(
                                one, List.of(episode("a", 1, 1, WON)), Measure.SUCCESS, random));
        assertThrows(
                RunException.class,
                () -> PairedBootstrap.difference(one, List.of(), Measure.SUCCESS, random));
        assertThrows(
                RunException.class,
                () -> PairedBootstrap.difference(List.of(), List.of(), Measure.SUCCESS, random));
    }

    @Test
    void theAreaUnderTheCurveCountsTiesHalf() {
        assertEquals(
                OptionalDouble.of(0.75),
                ScoreStatistics.auc(
                        new double[] {0.1, 0.4, 0.35, 0.8},
                        new boolean[] {false, false, true, true}));
        assertEquals(
                OptionalDouble.of(0.5),
                ScoreStatistics.auc(new double[] {1, 1, 1}, new boolean[] {true, false, true}));
        assertEquals(
                OptionalDouble.empty(),
                ScoreStatistics.auc(new double[] {1, 2}, new boolean[] {true, true}));
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        ScoreStatistics.auc(
                                new double[] {1, Double.NaN}, new boolean[] {true, false}));
    }

    @Test
    void calibrationBinsHoldMeanPredictionAndOutcome() {
        Calibration calibration =
                ScoreStatistics.calibration(
                        "Q", new double[] {0.05, 0.15, 0.95, 1}, new double[] {0, 1, 1, 1}, 10);
        assertEquals(3, calibration.bins().size());
        Calibration.Bin last = calibration.bins().get(2);
        assertEquals(0.975, last.predicted(), 1e-12);
        assertEquals(1, last.observed().value());
        assertEquals(2, last.count());
        assertEquals((0.05 + 0.85 + 0.05) / 4, calibration.expectedError(), 1e-12);
        assertEquals((0.05 * 0.05 + 0.85 * 0.85 + 0.05 * 0.05) / 4, calibration.brier(), 1e-12);
        assertThrows(
                IllegalArgumentException.class,
                () -> ScoreStatistics.calibration("Q", new double[] {1.1}, new double[] {1}, 10));
    }

    @Test
    void aSplitGoesByTaskAndDoesNotDependOnTheOrderOfTheData() {
        List<Trajectory> data = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            data.add(episode("a" + i % 100, i / 100, 1, WON));
        }
        TaskSplit split = new TaskSplit(0.15, RandomSource.of(42));
        TaskSplit.Sides<Trajectory> sides = split.divide(data, t -> t.task().id());
        List<String> train = sides.train().stream().map(t -> t.task().id()).distinct().toList();
        List<String> test = sides.test().stream().map(t -> t.task().id()).distinct().toList();
        assertTrue(Collections.disjoint(train, test));
        assertEquals(100, train.size() + test.size());
        assertTrue(test.size() >= 5 && test.size() <= 25, test.size() + " test tasks");
        Collections.reverse(data);
        List<Trajectory> again = new ArrayList<>(split.divide(data, t -> t.task().id()).test());
        Collections.reverse(again);
        assertEquals(sides.test(), again);
    }
}
