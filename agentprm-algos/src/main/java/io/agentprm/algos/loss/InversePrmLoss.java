package io.agentprm.algos.loss;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.Logistic;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TrainingRow;
import java.util.List;
import java.util.Set;

/**
 * The InversePRM loss (Choudhury, arXiv 2502.10325, algorithm 2): soft cross-entropy of {@code
 * delta = Q(s, a) - gamma Q(s', a')} ({@code Q(s, a)} at the end of an episode) against 1 for the
 * expert and 0 for the learner, averaged over turns. Scores are raw and unbounded; the gradient
 * flows through both of them.
 *
 * <p>A row's trunk is a trajectory with a mark at the end of each turn and {@link
 * TrainingRow#LABEL} saying whose it is; {@link #NEXT} gives for each mark the branch that holds
 * the next action a', resampled in s' and marked at its end, or 0 where the episode ends. Metric:
 * {@code accuracy}, the share of deltas on their label's side of 0.
 */
public final class InversePrmLoss implements LossFunction {
    /** For each mark of the trunk, the branch of its next action, or 0 for a terminal turn. */
    public static final String NEXT = "next-branch";

    private final double gamma;

    /**
     * Makes the loss.
     *
     * @param gamma discount per turn, in [0, 1]
     */
    public InversePrmLoss(double gamma) {
        if (!(gamma >= 0 && gamma <= 1)) {
            throw new IllegalArgumentException("gamma must lie in [0, 1], was " + gamma);
        }
        this.gamma = gamma;
    }

    @Override
    public Set<Channel> channels() {
        return Set.of(Channel.SCORE);
    }

    @Override
    public double normalizer(List<TrainingRow> batch) {
        int turns = batch.stream().mapToInt(row -> row.tree().segment(0).markCount()).sum();
        if (turns == 0) {
            throw new AlgorithmException("none of the batch's rows marks a turn on its trunk");
        }
        return turns;
    }

    @Override
    public Value evaluate(List<TrainingRow> rows, ModelOutputs outputs, double normalizer) {
        LossSum sum = LossSum.of(rows, channels(), normalizer);
        for (int r = 0; r < rows.size(); r++) {
            double[] scores = outputs.at(Channel.SCORE, r, 0);
            double[] labels = rows.get(r).values(TrainingRow.LABEL, 0);
            double[] next = rows.get(r).values(NEXT, 0);
            for (int i = 0; i < scores.length; i++) {
                int branch = (int) next[i];
                double delta =
                        scores[i]
                                - (branch == 0
                                        ? 0
                                        : gamma * outputs.at(Channel.SCORE, r, branch)[0]);
                double slope = Logistic.sigmoid(delta) - labels[i];
                sum.add(Logistic.softplus(delta) - labels[i] * delta);
                sum.addSlope(Channel.SCORE, r, 0, i, slope);
                if (branch != 0) {
                    sum.addSlope(Channel.SCORE, r, branch, 0, -gamma * slope);
                }
                sum.addMetric("accuracy", delta > 0 == labels[i] > 0.5 ? 1 : 0);
            }
        }
        return sum.value();
    }
}
