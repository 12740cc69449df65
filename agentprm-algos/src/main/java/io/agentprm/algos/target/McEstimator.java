package io.agentprm.algos.target;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.run.Metrics;
import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.target.TargetEstimator;
import io.agentprm.api.target.TurnLabel;
import io.agentprm.api.trajectory.Trajectory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Monte Carlo targets (Choudhury, arXiv 2502.10325, algorithm 1, stage 1): the value of a turn is
 * the mean, over all visits to it, of the discounted return, mapped to [0, 1].
 *
 * <p>With {@code G_t = sum over k >= t of gamma^(k-t) r_k} and {@code n} the number of turns to the
 * end, the unsigned target is {@code G_t} and the signed one {@code G_t + (1 - gamma^n) / 2}, which
 * is what comes of counting a failure as -1. {@code from-start} puts the turn's number in place of
 * {@code n} and {@code gamma^t} times the undiscounted return in place of {@code G_t}.
 *
 * <p>All rows of a group keep their own text and share the target and the visit count. Aborted
 * episodes are never labelled. Metrics: {@code mc.aborted}, {@code mc.truncated}, {@code
 * mc.groups}, {@code mc.visits} (mean per group).
 */
public final class McEstimator implements TargetEstimator {
    private final McConfig config;
    private final Optional<ToDoubleFunction<Trajectory>> finalValue;
    private final Metrics metrics;

    private McEstimator(
            McConfig config, Optional<ToDoubleFunction<Trajectory>> finalValue, Metrics metrics) {
        this.config = config;
        this.finalValue = finalValue;
        this.metrics = metrics;
    }

    /** An estimator that excludes truncated episodes. */
    public static McEstimator of(McConfig config, Metrics metrics) {
        if (config.truncated() == McConfig.Truncated.BOOTSTRAP) {
            throw new AlgorithmException(
                    "bootstrapping truncated episodes needs the value of a final state");
        }
        return new McEstimator(config, Optional.empty(), metrics);
    }

    /**
     * An estimator that bootstraps truncated episodes.
     *
     * @param finalValue value in [0, 1] of the state after the last turn
     */
    public static McEstimator bootstrapping(
            McConfig config, ToDoubleFunction<Trajectory> finalValue, Metrics metrics) {
        return new McEstimator(config, Optional.of(finalValue), metrics);
    }

    private static final class Group {
        private double sum;
        private int visits;

        private TurnLabel label() {
            return new TurnLabel(sum / visits, visits);
        }
    }

    @Override
    public List<LabelledTrajectory> estimate(List<Trajectory> trajectories) {
        TurnKeys keys = new TurnKeys(config);
        Map<Object, Group> groups = new HashMap<>();
        List<Trajectory> labelled = new ArrayList<>();
        List<List<Group>> groupsOfTurns = new ArrayList<>();
        int aborted = 0;
        int truncated = 0;
        for (Trajectory trajectory : trajectories) {
            aborted += trajectory.end() instanceof EpisodeEnd.Aborted ? 1 : 0;
            truncated += trajectory.end() instanceof EpisodeEnd.Truncated ? 1 : 0;
            if (!hasValue(trajectory)) {
                continue;
            }
            double[] targets = targets(trajectory);
            List<ByteBuffer> keysOfTurns = keys.of(trajectory);
            List<Group> own = new ArrayList<>(targets.length);
            for (int t = 0; t < targets.length; t++) {
                Object key =
                        config.grouping() == McConfig.Grouping.NONE
                                ? new Object()
                                : keysOfTurns.get(t);
                Group group = groups.computeIfAbsent(key, k -> new Group());
                group.sum += targets[t];
                group.visits++;
                own.add(group);
            }
            labelled.add(trajectory);
            groupsOfTurns.add(own);
        }
        List<LabelledTrajectory> result = new ArrayList<>(labelled.size());
        long visits = 0;
        for (int i = 0; i < labelled.size(); i++) {
            visits += labelled.get(i).length();
            result.add(
                    LabelledTrajectory.of(
                            labelled.get(i),
                            groupsOfTurns.get(i).stream()
                                    .map(g -> Optional.of(g.label()))
                                    .toList()));
        }
        metrics.record("mc.aborted", 0, aborted);
        metrics.record("mc.truncated", 0, truncated);
        metrics.record("mc.groups", 0, groups.size());
        metrics.record("mc.visits", 0, groups.isEmpty() ? 0 : visits / (double) groups.size());
        return result;
    }

    private boolean hasValue(Trajectory trajectory) {
        return trajectory.end() instanceof EpisodeEnd.Terminated
                || trajectory.end() instanceof EpisodeEnd.Truncated && finalValue.isPresent();
    }

    /** The target of each single visit. */
    private double[] targets(Trajectory trajectory) {
        int length = trajectory.length();
        boolean terminated = trajectory.end() instanceof EpisodeEnd.Terminated;
        double[] rewards = rewards(trajectory);
        double tail = terminated ? 0 : finalValue.orElseThrow().applyAsDouble(trajectory);
        double gamma = config.gamma();
        boolean fromStart = config.discount() == McConfig.Discount.FROM_START;
        double[] targets = Returns.toGo(rewards, fromStart ? 1 : gamma, tail);
        for (int t = 0; t < length; t++) {
            double discount =
                    Math.pow(gamma, fromStart ? t : length - 1 - t + (terminated ? 0 : 1));
            if (fromStart) {
                targets[t] *= discount;
            }
            if (config.mapping() == McConfig.Mapping.SIGNED) {
                targets[t] += (1 - discount) / 2;
            }
            targets[t] = checked(targets[t], trajectory, t);
        }
        return targets;
    }

    private double[] rewards(Trajectory trajectory) {
        double[] rewards = new double[trajectory.length()];
        if (config.reward() == McConfig.Reward.DENSE) {
            Arrays.setAll(rewards, t -> trajectory.turns().get(t).reward());
        } else if (rewards.length > 0) {
            rewards[rewards.length - 1] = trajectory.outcome().orElse(0);
        }
        return rewards;
    }

    /** Rounding may leave [0, 1] by a hair; anything more is the environment's fault. */
    private static double checked(double target, Trajectory trajectory, int turn) {
        if (!(target >= -1e-9 && target <= 1 + 1e-9)) {
            throw new AlgorithmException(
                    "target "
                            + target
                            + " of turn "
                            + turn
                            + " of "
                            + trajectory.id()
                            + " is outside [0, 1]: scale the environment's rewards so that every"
                            + " return lies in [0, 1]");
        }
        return Math.max(0, Math.min(1, target));
    }
}
