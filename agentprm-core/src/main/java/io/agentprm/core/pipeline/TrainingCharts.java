package io.agentprm.core.pipeline;

import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.target.TurnLabel;
import io.agentprm.core.context.JsonLinesMetrics;
import io.agentprm.core.report.Axis;
import io.agentprm.core.report.Estimate;
import io.agentprm.core.report.Histogram;
import io.agentprm.core.report.Plot;
import io.agentprm.core.report.Series;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Charts of a training stage, from its metrics, its labels and the scores of its model. */
final class TrainingCharts {
    private static final int BINS = 20;

    private TrainingCharts() {}

    /**
     * Losses, and how well turns of tasks held out are told apart, as far as they were recorded.
     */
    static List<Plot> rewardModel(Path stage, String model) {
        return Stream.of(
                        curves(stage, model, "prm.loss", "prm.held-out-loss"),
                        curves(stage, model, "prm.held-out-auc", "prm.held-out-accuracy"))
                .flatMap(Optional::stream)
                .toList();
    }

    /** The recorded ones of some series over their steps; empty if there is none. */
    static Optional<Plot> curves(Path stage, String model, String... names) {
        List<Series> series =
                Arrays.stream(names)
                        .map(name -> series(stage, name))
                        .flatMap(Optional::stream)
                        .toList();
        if (series.isEmpty()) {
            return Optional.empty();
        }
        List<String> shown = series.stream().map(Series::name).toList();
        return Optional.of(
                new Plot(
                        model + ": " + String.join(", ", shown),
                        "",
                        Axis.linear("step"),
                        Axis.linear(shown.size() == 1 ? shown.get(0) : "value"),
                        series));
    }

    /** A series of a stage's metrics; empty if it was not recorded. */
    static Optional<Series> series(Path stage, String name) {
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

    /** Labels of turns, successes and failures apart. */
    static Histogram targets(String model, List<LabelledTrajectory> labelled) {
        return byOutcome(
                "Targets of " + model, "target", labels(labelled, true), labels(labelled, false));
    }

    /** Probabilities that a reward model gives to turns, successes and failures apart. */
    static Histogram scores(String title, PrmScores scores) {
        return byOutcome(
                "Scores of " + title,
                "probability",
                scores.probabilities(true),
                scores.probabilities(false));
    }

    private static double[] labels(List<LabelledTrajectory> labelled, boolean success) {
        return labelled.stream()
                .filter(one -> one.trajectory().success() == success)
                .flatMap(one -> one.labels().stream())
                .flatMap(Optional::stream)
                .mapToDouble(TurnLabel::value)
                .toArray();
    }

    private static Histogram byOutcome(
            String title, String label, double[] successes, double[] failures) {
        return new Histogram(
                title,
                "",
                label,
                0,
                1,
                List.of(
                        Histogram.Group.of("turns of successes", successes, 0, 1, BINS),
                        Histogram.Group.of("turns of failures", failures, 0, 1, BINS)));
    }
}
