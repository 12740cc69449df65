package io.agentprm.core.pipeline;

import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.optim.OptimizationReport;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.trajectory.Candidate;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.context.JsonLinesMetrics;
import io.agentprm.core.eval.ScoreStatistics;
import io.agentprm.core.eval.Wilson;
import io.agentprm.core.report.Axis;
import io.agentprm.core.report.Estimate;
import io.agentprm.core.report.Evaluation;
import io.agentprm.core.report.FactSheet;
import io.agentprm.core.report.Histogram;
import io.agentprm.core.report.Iteration;
import io.agentprm.core.report.Plot;
import io.agentprm.core.report.RunReport;
import io.agentprm.core.report.SampleEpisode;
import io.agentprm.core.report.Series;
import io.agentprm.core.run.RunInfo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** From the results of a run to its report. */
final class ReportBuilder {
    private static final int BINS = 20;

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
        builder.rewardHacking();
        builder.episodes();
        builder.facts();
        builder.report.configuration(configuration.toYaml());
        return builder.report.build();
    }

    private void summary() {
        EvaluationConfig evaluation = results.config().evaluation();
        int episodes = first().episodes().size();
        report.summary(
                results.config().loop().iterations()
                        + " iterations on "
                        + results.environment().name()
                        + " from "
                        + results.demonstrations()
                        + " demonstrations; judged on "
                        + episodes
                        + " episodes of split "
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
            report.note(aborted + " evaluation episodes were aborted and count as failures.");
        }
        if (evaluation.split().equals(results.config().demonstrations().split())
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
                        "All three ways draw the same number of candidates at the same temperature.",
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
            curves(results.firstPolicy(), "pi-0: ", List.of("sft.loss"));
        }
        curves(iteration.prm().stage(), iteration.rewardModelId() + ": ", List.of("prm.loss"));
        String policy = "pi-" + iteration.number() + ": ";
        curves(iteration.policy().stage(), policy, List.of("dpo.loss", "dpo.accuracy"));
        curves(iteration.policy().stage(), policy, List.of("dpo.kl.k1", "dpo.kl.k3"));
    }

    private void curves(Path stage, String prefix, List<String> names) {
        List<Series> series = new ArrayList<>();
        for (String name : names) {
            series(stage, name).ifPresent(series::add);
        }
        if (!series.isEmpty()) {
            report.training(
                    new Plot(
                            prefix + String.join(", ", names),
                            "",
                            Axis.linear("step"),
                            Axis.linear(series.size() == 1 ? names.get(0) : "value"),
                            series));
        }
    }

    private static Optional<Series> series(Path stage, String name) {
        List<Series.Point> points = new ArrayList<>();
        for (JsonLinesMetrics.Point point :
                JsonLinesMetrics.read(stage.resolve(JsonLinesMetrics.FILE))) {
            if (point.name().equals(name) && point.value().isPresent()) {
                points.add(
                        new Series.Point(
                                point.step(), Estimate.exact(point.value().getAsDouble())));
            }
        }
        return points.isEmpty() ? Optional.empty() : Optional.of(new Series(name, points));
    }

    private void distributions(Pipeline.Iteration iteration) {
        List<Histogram.Group> groups = new ArrayList<>();
        for (boolean success : new boolean[] {true, false}) {
            double[] values =
                    iteration.prm().labelled().stream()
                            .filter(l -> l.trajectory().success() == success)
                            .flatMap(l -> l.labels().stream())
                            .flatMap(Optional::stream)
                            .mapToDouble(label -> label.value())
                            .toArray();
            groups.add(
                    Histogram.Group.of(
                            success ? "turns of successes" : "turns of failures",
                            values,
                            0,
                            1,
                            BINS));
        }
        report.add(
                new Histogram(
                        "Targets of " + iteration.rewardModelId(), "", "target", 0, 1, groups));
        scores(iteration);
    }

    /** Scores of the actions that were executed by the agents which choose by this reward model. */
    private void scores(Pipeline.Iteration iteration) {
        List<Double> predicted = new ArrayList<>();
        List<Double> outcome = new ArrayList<>();
        for (Pipeline.Judged judged : results.judged()) {
            if (judged.agent().rewardModelId().equals(iteration.rewardModelId())) {
                for (Trajectory trajectory : judged.episodes()) {
                    for (Turn turn : trajectory.turns()) {
                        Optional<Candidate> executed = executed(turn);
                        if (executed.isPresent() && executed.get().score().isPresent()) {
                            predicted.add(logistic(executed.get().score().getAsDouble()));
                            outcome.add(trajectory.success() ? 1.0 : 0.0);
                        }
                    }
                }
            }
        }
        if (predicted.isEmpty()) {
            return;
        }
        double[] p = predicted.stream().mapToDouble(v -> v).toArray();
        double[] o = outcome.stream().mapToDouble(v -> v).toArray();
        List<Histogram.Group> groups = new ArrayList<>();
        for (double value : new double[] {1, 0}) {
            List<Double> part = new ArrayList<>();
            for (int i = 0; i < p.length; i++) {
                if (o[i] == value) {
                    part.add(p[i]);
                }
            }
            groups.add(
                    Histogram.Group.of(
                            value == 1 ? "turns of successes" : "turns of failures",
                            part.stream().mapToDouble(v -> v).toArray(),
                            0,
                            1,
                            BINS));
        }
        String q = iteration.rewardModelId();
        report.add(
                new Histogram(
                        "Scores of " + q + " in evaluation", "", "probability", 0, 1, groups));
        report.add(
                ScoreStatistics.calibration(
                        q + " on executed actions of unseen tasks", p, o, BINS / 2));
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
            Optional<Series> score = series(iteration.policy().stage(), "dpo.score");
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
                            "If the score keeps rising while success falls, the policy exploits the reward model.",
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
                                                        ScoreScale.LOGIT,
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
