package io.agentprm.algos.target;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.run.Metrics;
import io.agentprm.api.target.BootstrappedTargets;
import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.target.TurnLabel;
import io.agentprm.api.trajectory.Trajectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Temporal-difference targets with generalised advantage estimation (Xi et al., arXiv 2511.08325,
 * label estimation): with the model's current values {@code M_t} of the turns {@code 0 … T} and the
 * outcome {@code r}, {@code delta_t = gamma M_t - M_(t-1)}, {@code delta_T = r - M_(T-1)}, {@code
 * A_t = delta_t + gamma lambda A_(t+1)}, and the target of turn t is {@code A_t + M_(t-1)}, that of
 * the last one {@code r}. The last error is the usual terminal form; equation 12 read literally
 * would count the last value beside the outcome.
 *
 * <p>What {@code M_(-1)}, the value of the first state, is does not matter: it cancels from the
 * target of turn 0, and the loss takes no difference there.
 *
 * <p>A step limit that is part of the task terminates with its outcome. A truncated episode is
 * bootstrapped: the value of the state after its last action is, as everywhere in this method, the
 * value of that action, transitions being deterministic; so the last turn teaches nothing by itself
 * and passes its value on to those before. Aborted episodes are never labelled.
 *
 * <p>Without a model every turn's label is its discounted outcome, which is the target for lambda =
 * 1; that of a truncated episode is the mean outcome of the terminated episodes of its task, or of
 * all if its task has none. Nothing is labelled if no episode terminated. Metrics: {@code
 * td-gae.aborted}, {@code td-gae.truncated}.
 */
public final class TdGaeEstimator implements BootstrappedTargets {
    private final TdGaeConfig config;
    private final Metrics metrics;

    /** Makes the estimator. */
    public TdGaeEstimator(TdGaeConfig config, Metrics metrics) {
        this.config = config;
        this.metrics = metrics;
    }

    @Override
    public List<LabelledTrajectory> estimate(List<Trajectory> trajectories) {
        MeanOutcomes outcomes = new MeanOutcomes();
        trajectories.forEach(outcomes::add);
        List<LabelledTrajectory> labelled = new ArrayList<>();
        int aborted = 0;
        int truncated = 0;
        for (Trajectory trajectory : trajectories) {
            if (trajectory.end() instanceof EpisodeEnd.Aborted) {
                aborted++;
                continue;
            }
            truncated += trajectory.end() instanceof EpisodeEnd.Truncated ? 1 : 0;
            OptionalDouble end = outcomes.expected(trajectory);
            if (end.isPresent()) {
                double[] labels = targets(trajectory, end.getAsDouble());
                labelled.add(
                        LabelledTrajectory.of(
                                trajectory,
                                Arrays.stream(labels)
                                        .mapToObj(label -> Optional.of(new TurnLabel(label, 1)))
                                        .toList()));
            }
        }
        metrics.record("td-gae.aborted", 0, aborted);
        metrics.record("td-gae.truncated", 0, truncated);
        return labelled;
    }

    /** With lambda = 1 the values of the turns do not matter. */
    private double[] targets(Trajectory trajectory, double end) {
        double[] any = new double[trajectory.length()];
        double last = trajectory.end() instanceof EpisodeEnd.Truncated ? config.gamma() * end : end;
        return GeneralizedAdvantage.ofScores(any, 0, last, config.gamma(), 1).targets();
    }

    @Override
    public double[] targets(Trajectory trajectory, double[] values) {
        if (values.length != trajectory.length()
                || !Arrays.stream(values).allMatch(value -> value >= 0 && value <= 1)) {
            throw new AlgorithmException(
                    "td-gae needs a value in [0, 1] of each of the "
                            + trajectory.length()
                            + " turns of "
                            + trajectory.id()
                            + ", was given "
                            + Arrays.toString(values));
        }
        double[] targets =
                GeneralizedAdvantage.ofScores(
                                values, 0, end(trajectory, values), config.gamma(), config.lambda())
                        .targets();
        // They are means of values and outcome; rounding may leave [0, 1] by a hair.
        Arrays.setAll(targets, t -> Math.max(0, Math.min(1, targets[t])));
        return targets;
    }

    private double end(Trajectory trajectory, double[] values) {
        if (trajectory.end() instanceof EpisodeEnd.Terminated terminated) {
            return terminated.outcome();
        }
        if (trajectory.end() instanceof EpisodeEnd.Truncated) {
            return values.length == 0 ? 0 : config.gamma() * values[values.length - 1];
        }
        throw new AlgorithmException(trajectory.id() + " was aborted and has no value");
    }

    /** Mean outcomes of terminated episodes, by task and of all. */
    private static final class MeanOutcomes {
        private final Map<String, double[]> byTask = new HashMap<>();
        private final double[] all = new double[2];

        void add(Trajectory trajectory) {
            trajectory
                    .outcome()
                    .ifPresent(
                            outcome -> {
                                add(all, outcome);
                                add(of(trajectory), outcome);
                            });
        }

        private static void add(double[] sumAndCount, double outcome) {
            sumAndCount[0] += outcome;
            sumAndCount[1]++;
        }

        private double[] of(Trajectory trajectory) {
            return byTask.computeIfAbsent(trajectory.task().id(), id -> new double[2]);
        }

        /** Its own outcome if it has one, else the best guess; empty if nothing terminated. */
        OptionalDouble expected(Trajectory trajectory) {
            if (trajectory.outcome().isPresent()) {
                return trajectory.outcome();
            }
            double[] nearest = of(trajectory)[1] > 0 ? of(trajectory) : all;
            return nearest[1] > 0
                    ? OptionalDouble.of(nearest[0] / nearest[1])
                    : OptionalDouble.empty();
        }
    }
}
