package io.agentprm.algos.optim;

import io.agentprm.algos.loss.DpoLoss;
import io.agentprm.api.lm.TrainingRow;
import java.util.ArrayList;
import java.util.List;

/**
 * What a step of preference optimisation learns from: of a prompt with a pair, the preferred and
 * the rejected reply as two branches in this order; of any other prompt, where that is asked for,
 * all its replies as anchors.
 */
final class PreferenceRows {
    private record Branch(ReplyForest.Place place, double[] reference, double anchor) {
        boolean isAnchor() {
            return anchor > 0;
        }
    }

    private final ReplyForest forest;
    private final double anchorWeight;
    private final List<Branch> branches = new ArrayList<>();
    private int pairs;
    private int unpaired;

    /**
     * No rows yet.
     *
     * @param forest an empty one
     * @param anchorWeight weight of the mean over prompts without a pair against the mean over
     *     pairs; 0 leaves those prompts out
     */
    PreferenceRows(ReplyForest forest, double anchorWeight) {
        this.forest = forest;
        this.anchorWeight = anchorWeight;
    }

    /**
     * Adds a prompt.
     *
     * @param reference log-probabilities of the tokens of each reply under the reference policy
     */
    void add(Prompt prompt, List<Reply> replies, PairChoice choice, List<double[]> reference) {
        if (choice.kind() == PairChoice.Kind.PAIR) {
            pairs++;
            for (int reply : new int[] {choice.best(), choice.worst()}) {
                add(prompt, replies.get(reply), reference.get(reply), 0);
            }
        } else if (anchorWeight > 0) {
            unpaired++;
            double samples = replies.stream().mapToInt(Reply::count).sum();
            for (int i = 0; i < replies.size(); i++) {
                double share = replies.get(i).count() / samples;
                add(prompt, replies.get(i), reference.get(i), share);
            }
        }
    }

    private void add(Prompt prompt, Reply reply, double[] reference, double anchor) {
        branches.add(new Branch(forest.add(prompt, reply.tokens().ids()), reference, anchor));
    }

    int pairs() {
        return pairs;
    }

    /** One row per segment of a trajectory; the loss divides their sum by the number of pairs. */
    List<TrainingRow> rows() {
        List<TrainingRow> rows =
                new ArrayList<>(forest.trees().stream().map(TrainingRow::of).toList());
        double scale = unpaired == 0 ? 0 : anchorWeight * pairs / unpaired;
        for (Branch branch : branches) {
            int tree = branch.place().tree();
            int segment = branch.place().branch();
            TrainingRow row =
                    rows.get(tree)
                            .with(TrainingRow.REFERENCE_LOG_PROB, segment, branch.reference());
            rows.set(
                    tree,
                    branch.isAnchor()
                            ? row.with(DpoLoss.ANCHOR, segment, scale * branch.anchor())
                            : row);
        }
        return rows;
    }
}
