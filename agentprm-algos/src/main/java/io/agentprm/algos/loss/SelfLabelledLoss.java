package io.agentprm.algos.loss;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.Logistic;
import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.LossFunction;
import io.agentprm.api.lm.ModelOutputs;
import io.agentprm.api.lm.TrainingRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A loss of labelled scores whose labels come from the scores themselves: in every step the
 * probabilities {@code sigmoid(score)} of a trajectory's turns give its labels, which are constants
 * for the gradient. One forward pass serves labels and loss.
 *
 * <p>The rows of a trajectory are a group, in order; the marks of their trunks are its turns.
 * {@link TrainingRow#LABEL} in the rows is replaced.
 */
public final class SelfLabelledLoss implements LossFunction {
    /** The labels of a trajectory's turns. */
    @FunctionalInterface
    public interface Labels {
        /**
         * Labels of a trajectory.
         *
         * @param group number of its rows' group
         * @param values probability of each turn under the current model; not to be changed
         * @return one label per turn
         */
        double[] of(long group, double[] values);
    }

    private final LossFunction loss;
    private final Labels labels;

    /**
     * Makes the loss.
     *
     * @param loss a loss of scores against {@link TrainingRow#LABEL}
     */
    public SelfLabelledLoss(LossFunction loss, Labels labels) {
        this.loss = loss;
        this.labels = labels;
    }

    @Override
    public Set<Channel> channels() {
        return loss.channels();
    }

    @Override
    public double normalizer(List<TrainingRow> batch) {
        return loss.normalizer(batch);
    }

    @Override
    public Value evaluate(List<TrainingRow> rows, ModelOutputs outputs, double normalizer) {
        List<double[]> arrays = new ArrayList<>();
        rows.forEach(row -> arrays.add(new double[row.tree().segment(0).markCount()]));
        for (List<Mark> turns : Mark.trajectories(rows)) {
            label(rows, outputs, turns, arrays);
        }
        List<TrainingRow> labelled = new ArrayList<>();
        for (int r = 0; r < rows.size(); r++) {
            labelled.add(rows.get(r).with(TrainingRow.LABEL, 0, arrays.get(r)));
        }
        return loss.evaluate(labelled, outputs, normalizer);
    }

    private void label(
            List<TrainingRow> rows, ModelOutputs outputs, List<Mark> turns, List<double[]> arrays) {
        if (turns.isEmpty()) {
            return;
        }
        long group = rows.get(turns.get(0).row()).group();
        if (group < 0) {
            throw new AlgorithmException(
                    "a row belongs to no group, so that its trajectory is not known");
        }
        double[] values =
                turns.stream()
                        .mapToDouble(turn -> outputs.at(Channel.SCORE, turn.row(), 0)[turn.index()])
                        .map(Logistic::sigmoid)
                        .toArray();
        double[] given = labels.of(group, values);
        if (given.length != values.length) {
            throw new AlgorithmException(
                    given.length + " labels for the " + values.length + " turns of group " + group);
        }
        for (int t = 0; t < given.length; t++) {
            Mark turn = turns.get(t);
            arrays.get(turn.row())[turn.index()] = given[t];
        }
    }
}
