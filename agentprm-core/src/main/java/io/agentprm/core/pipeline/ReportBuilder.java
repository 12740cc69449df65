package io.agentprm.core.pipeline;

import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.trajectory.Candidate;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.eval.ScoreStatistics;
import io.agentprm.core.eval.Wilson;
import io.agentprm.core.report.Axis;
import io.agentprm.core.report.Estimate;
import io.agentprm.core.report.Evaluation;
import io.agentprm.core.report.FactSheet;
import io.agentprm.core.report.Iteration;
import io.agentprm.core.report.Plot;
import io.agentprm.core.report.RunReport;
import io.agentprm.core.report.SampleEpisode;
import io.agentprm.core.report.Series;
import io.agentprm.core.report.Words;
import io.agentprm.core.run.RunInfo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** From the results of a run to its report. */
final class ReportBuilder {
    private static final int CALIBRATION_BINS = 10;

    private final RunResults results;
    private final RunInfo info;
    private final Judgements judgements;
    private final RunReport.Builder report;

    private ReportBuilder(RunResults results, RunInfo info) {
        this.results = results;
        this.info = info;
        this.judgements = new Judgements(results, info);
        this.report = RunReport.builder(results.config().name());
    }

    /**
     * @param configuration as the run directory keeps it
     */
    static RunReport build(RunResults results, RunInfo info, ConfigNode configuration) {
        ReportBuilder builder = new ReportBuilder(results, info);
        builder.summary();
        builder.iterations();
        builder.comparisons();
        builder.scaling();
        for (Pipeline.Iteration iteration : results.iterations()) {
            builder.training(iteration);
            builder.distributions(iteration);
        }
        if (builder.probabilities()) {
            builder.rewardHacking();
        }
        builder.episodes();
        builder.facts();
        builder.report.configuration(configuration.toYaml());
        return builder.report.build();
    }

    private void summary() {
        EvaluationConfig evaluation = results.config().evaluation();
        int episodes = first().episodes().size();
        report.summary(
                Words.counted(results.config().loop().iterations(), "iteration")
                        + " on "
                        + results.environment().name()
                        + " from "
                        + Words.counted(results.demonstrations(), "demonstration")
                        + "; judged on "
                        + Words.counted(episodes, "episode")
                        + " of split "
                        + evaluation.split()
                        + ", at most "
                        + results.environment().stepLimit()
                        + " actions each, the same tasks and seeds for every agent.");
        long aborted =
                results.judged().stream()
                        .flatMap(j -> j.episodes().stream())
                        .filter(t -> t.end() instanceof EpisodeEnd.Aborted)
                        .count();
        if (aborted > 0) {
            report.note("Evaluation episodes that were aborted, counted as failures: " + aborted);
        }
        if (!probabilities()) {
            report.note(
                    "The scores of the reward models rank actions and are no probabilities of"
                            + " success: there is nothing to calibrate.");
        }
        if (results.config().demonstrations().trainsOn(evaluation.split())
                || evaluation.split().equals(results.config().loop().rollouts().split())) {
            report.note(
                    "Split "
                            + evaluation.split()
                            + " was trained on: these figures say nothing about unseen tasks.");
        }
    }

    private Pipeline.Judged first() {
        return results.judged().get(0);
    }

    private void iterations() {
        Map<Integer, List<Evaluation>> rows = new LinkedHashMap<>();
        for (Pipeline.Judged judged : results.judged()) {
            if (!judged.scaling()) {
                rows.computeIfAbsent(number(judged.agent()), n -> new ArrayList<>())
                        .add(judgements.evaluation(judged).toRow(judged.agent().kind()));
            }
        }
        rows.forEach((number, evaluations) -> report.add(new Iteration(number, evaluations)));
    }

    /** pi-3 is number 3. */
    private static int number(Agent agent) {
        return Integer.parseInt(agent.policyId().substring("pi-".length()));
    }

    private void comparisons() {
        judgements.comparisons().forEach(report::add);
    }

    private void scaling() {
        Map<String, List<Series.Point>> lines = new LinkedHashMap<>();
        for (Pipeline.Judged judged : results.judged()) {
            OptionalInt n = Judgements.candidates(judged.agent());
            if (judged.scaling() && n.isPresent()) {
                lines.computeIfAbsent(judged.agent().kind(), kind -> new ArrayList<>())
                        .add(new Series.Point(n.getAsInt(), success(judged.episodes())));
            }
        }
        if (lines.isEmpty()) {
            return;
        }
        List<Series> series = new ArrayList<>();
        lines.forEach(
                (kind, points) -> {
                    points.sort(Comparator.comparingDouble(Series.Point::x));
                    series.add(new Series(kind, points));
                });
        report.scaling(
                new Plot(
                        "Success of pi-0 by candidates per turn",
                        "All three ways draw the same number of candidates at the same"
                                + " temperature.",
                        Axis.log2("candidates per turn"),
                        Axis.share("success"),
                        series));
    }

    private static Estimate success(List<Trajectory> episodes) {
        return Wilson.interval(
                episodes.stream().filter(Trajectory::success).count(), episodes.size());
    }

    private void training(Pipeline.Iteration iteration) {
        if (iteration.number() == 1) {
            curves(results.firstPolicy(), "pi-0", "sft.loss", "sft.held-out-loss");
        }
        TrainingCharts.rewardModel(iteration.prm().stage(), iteration.rewardModelId())
                .forEach(report::training);
        String policy = "pi-" + iteration.number();
        curves(iteration.policy().stage(), policy, "dpo.loss", "dpo.accuracy");
        curves(iteration.policy().stage(), policy, "dpo.kl.k1", "dpo.kl.k3");
        if (!probabilities()) {
            curves(iteration.policy().stage(), policy, "dpo.score");
        }
    }

    private void curves(Path stage, String model, String... names) {
        TrainingCharts.curves(stage, model, names).ifPresent(report::training);
    }

    private void distributions(Pipeline.Iteration iteration) {
        iteration
                .prm()
                .labelled()
                .ifPresent(
                        labelled ->
                                report.add(
                                        TrainingCharts.targets(
                                                iteration.rewardModelId(), labelled)));
        if (probabilities()) {
            scores(iteration);
        }
    }

    /** Whether scores are log-odds of success, so that they can be held against it. */
    private boolean probabilities() {
        return results.scale() == ScoreScale.LOGIT;
    }

    /** Scores of the actions that were executed by the agents which choose by this reward model. */
    private void scores(Pipeline.Iteration iteration) {
        PrmScores scores = new PrmScores();
        for (Pipeline.Judged judged : results.judged()) {
            if (judged.agent().rewardModelId().equals(iteration.rewardModelId())) {
                for (Trajectory trajectory : judged.episodes()) {
                    for (Turn turn : trajectory.turns()) {
                        executed(turn)
                                .map(Candidate::score)
                                .filter(OptionalDouble::isPresent)
                                .ifPresent(score -> add(scores, score.getAsDouble(), trajectory));
                    }
                }
            }
        }
        if (scores.size() > 0) {
            String q = iteration.rewardModelId();
            report.add(TrainingCharts.scores(q + " in evaluation", scores));
            report.add(
                    ScoreStatistics.calibration(
                            q + " on executed actions of unseen tasks",
                            scores.probabilities(),
                            scores.labels(),
                            CALIBRATION_BINS));
        }
    }

    private static void add(PrmScores scores, double score, Trajectory trajectory) {
        boolean success = trajectory.success();
        scores.add(score, logistic(score), success ? 1 : 0, success);
    }

    private static Optional<Candidate> executed(Turn turn) {
        String action = turn.decision().action().text();
        return turn.decision().candidates().stream()
                .filter(candidate -> candidate.action().equals(action))
                .findFirst();
    }

    private static double logistic(double logit) {
        return 1 / (1 + Math.exp(-logit));
    }

    /**
     * The reward model's mean score of fresh replies over training, beside success before and
     * after.
     */
    private void rewardHacking() {
        for (Pipeline.Iteration iteration : results.iterations()) {
            Optional<Series> score = TrainingCharts.series(iteration.policy().stage(), "dpo.score");
            if (score.isEmpty() || score.get().points().isEmpty()) {
                continue;
            }
            List<Series.Point> believed = new ArrayList<>();
            for (Series.Point point : score.get().points()) {
                believed.add(
                        new Series.Point(point.x(), Estimate.exact(logistic(point.y().value()))));
            }
            double last = believed.get(believed.size() - 1).x();
            List<Series.Point> true_ = new ArrayList<>();
            bare(iteration.number() - 1)
                    .ifPresent(j -> true_.add(new Series.Point(0, success(j.episodes()))));
            bare(iteration.number())
                    .ifPresent(j -> true_.add(new Series.Point(last, success(j.episodes()))));
            report.rewardHacking(
                    new Plot(
                            iteration.rewardModelId() + " and pi-" + iteration.number(),
                            "If the score keeps rising while success falls, the policy exploits the"
                                    + " reward model.",
                            Axis.linear("step"),
                            Axis.share("probability"),
                            List.of(
                                    new Series("mean score of fresh replies", believed),
                                    new Series("success on unseen tasks", true_))));
        }
    }

    private Optional<Pipeline.Judged> bare(int policy) {
        return results.judged().stream()
                .filter(j -> j.agent().chooser().isEmpty() && number(j.agent()) == policy)
                .findFirst();
    }

    private void episodes() {
        for (Pipeline.Judged judged : results.judged()) {
            if (judged.scaling()) {
                continue;
            }
            for (boolean success : new boolean[] {true, false}) {
                judged.episodes().stream()
                        .filter(t -> t.success() == success)
                        .findFirst()
                        .ifPresent(
                                t ->
                                        report.add(
                                                new SampleEpisode(
                                                        judged.agent().title()
                                                                + (success
                                                                        ? ", first success"
                                                                        : ", first failure"),
                                                        results.judgeScale()
                                                                .orElse(results.scale()),
                                                        t)));
            }
        }
    }

    private void facts() {
        List<FactSheet.Fact> run = new ArrayList<>();
        run.add(new FactSheet.Fact("run", info.id()));
        run.add(new FactSheet.Fact("seed", Long.toString(info.seed())));
        run.add(new FactSheet.Fact("environment", results.environment().toString()));
        info.versions().forEach((name, version) -> run.add(new FactSheet.Fact(name, version)));
        report.add(new FactSheet("Run", run));
        for (Pipeline.Iteration iteration : results.iterations()) {
            figures(iteration.rewardModelId(), iteration.prm().stage());
            figures("pi-" + iteration.number(), iteration.policy().stage());
        }
    }

    private void figures(String title, Path stage) {
        OptimizationReport figures = ReportFiles.read(stage.resolve(ReportFiles.NAME));
        List<FactSheet.Fact> facts = new ArrayList<>();
        facts.add(new FactSheet.Fact("optimiser steps", Long.toString(figures.steps())));
        figures.summary()
                .forEach(
                        (name, value) ->
                                facts.add(
                                        new FactSheet.Fact(
                                                name, String.format(Locale.ROOT, "%.4g", value))));
        report.add(new FactSheet("Training of " + title, facts));
    }
}
