package io.agentprm.algos.loss;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.Logistic;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TrainingRow;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The InversePRM loss (Choudhury, arXiv 2502.10325, algorithm 2): soft cross-entropy of {@code
 * delta = Q(s, a) - gamma Q(s', a')} ({@code Q(s, a)} at the end of an episode) against 1 for the
 * expert and 0 for the learner, averaged over turns. Scores are raw and unbounded; the gradient
 * flows through both of them.
 *
 * <p>The marks of a row's trunk are the turns of a trajectory; rows of one group are one trajectory
 * in order. {@link TrainingRow#LABEL} says whose it is, {@link TrainingRow#WEIGHT} 0 leaves a turn
 * out, and {@link #NEXT} says which next action a' is meant. Metric: {@code accuracy}, the share of
 * deltas on their label's side of 0.
 */
public final class InversePrmLoss implements LossFunction {
    /**
     * For each mark of the trunk, its next action: {@link #END}, {@link #LOGGED}, or the number of
     * the branch that holds an action resampled in s', marked at its end, in the row of the next
     * turn.
     */
    public static final String NEXT = "next-branch";

    /** The episode ended: there is no next action. */
    public static final double END = 0;

    /** The action of the next turn itself. */
    public static final double LOGGED = -1;

    private final double gamma;
    private final double scorePenalty;

    /** The loss of the paper, without a penalty. */
    public InversePrmLoss(double gamma) {
        this(gamma, 0);
    }

    /**
     * Makes the loss.
     *
     * @param gamma discount per turn, in [0, 1]
     * @param scorePenalty half of this times {@code Q(s, a)^2} is added, 0 or more: the differences
     *     alone do not keep scores from drifting
     */
    public InversePrmLoss(double gamma, double scorePenalty) {
        if (!(gamma >= 0 && gamma <= 1)) {
            throw new IllegalArgumentException("gamma must lie in [0, 1], was " + gamma);
        }
        if (!(scorePenalty >= 0 && scorePenalty < Double.MAX_VALUE)) {
            throw new IllegalArgumentException(
                    "score-penalty must be 0 or more, was " + scorePenalty);
        }
        this.gamma = gamma;
        this.scorePenalty = scorePenalty;
    }

    /** Where a score lies. */
    private record Output(int row, int segment, int index) {
        double of(ModelOutputs outputs) {
            return outputs.at(Channel.SCORE, row, segment)[index];
        }

        void addSlope(LossSum sum, double slope) {
            sum.addSlope(Channel.SCORE, row, segment, index, slope);
        }
    }

    @Override
    public Set<Channel> channels() {
        return Set.of(Channel.SCORE);
    }

    @Override
    public double normalizer(List<TrainingRow> batch) {
        double total =
                batch.stream()
                        .flatMapToDouble(row -> Arrays.stream(LabelledScores.weights(row, 0)))
                        .sum();
        if (!(total > 0)) {
            throw new AlgorithmException("none of the batch's rows marks a turn on its trunk");
        }
        return total;
    }

    @Override
    public Value evaluate(List<TrainingRow> rows, ModelOutputs outputs, double normalizer) {
        LossSum sum = LossSum.of(rows, channels(), normalizer);
        for (List<Mark> turns : Mark.trajectories(rows)) {
            for (int t = 0; t < turns.size(); t++) {
                Mark turn = turns.get(t);
                TrainingRow row = rows.get(turn.row());
                double weight = LabelledScores.weights(row, 0)[turn.index()];
                if (weight > 0) {
                    double label = row.values(TrainingRow.LABEL, 0)[turn.index()];
                    add(sum, outputs, turn, next(rows, turns, t), label, weight);
                }
            }
        }
        return sum.value();
    }

    private void add(
            LossSum sum,
            ModelOutputs outputs,
            Mark turn,
            Optional<Output> next,
            double label,
            double weight) {
        Output own = new Output(turn.row(), 0, turn.index());
        double score = own.of(outputs);
        double delta = score - gamma * next.map(output -> output.of(outputs)).orElse(0.0);
        double slope = weight * (Logistic.sigmoid(delta) - label);
        sum.add(
                weight
                        * (Logistic.softplus(delta)
                                - label * delta
                                + 0.5 * scorePenalty * score * score));
        own.addSlope(sum, slope + weight * scorePenalty * score);
        next.ifPresent(output -> output.addSlope(sum, -gamma * slope));
        sum.addMetric("accuracy", delta > 0 == label > 0.5 ? weight : 0);
    }

    /** The score of the next action; none at the end. */
    private static Optional<Output> next(List<TrainingRow> rows, List<Mark> turns, int t) {
        Mark turn = turns.get(t);
        double next = rows.get(turn.row()).values(NEXT, 0)[turn.index()];
        if (next == END) {
            return Optional.empty();
        }
        if (t + 1 == turns.size()) {
            throw new AlgorithmException(
                    "the last turn of a trajectory has a next action, but no turn follows");
        }
        Mark following = turns.get(t + 1);
        return Optional.of(
                next == LOGGED
                        ? new Output(following.row(), 0, following.index())
                        : new Output(following.row(), (int) next, 0));
    }
}
