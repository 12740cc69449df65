package io.agentprm.algos.reward;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.algos.loss.InversePrmLoss;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.lm.RenderedSegment;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.Trajectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Rows of a trajectory for {@link InversePrmLoss}: one per segment, a mark at the last token of
 * each reply, and a resampled next action as a branch that forks where the logged one begins; so
 * the whole trajectory and all next actions cost one pass over it.
 *
 * <p>Left out by weight 0: an exploratory action, which neither expert nor learner meant, and the
 * last turn of a truncated episode, whose next action nobody knows.
 */
final class TransitionRows {
    private final StateRenderer renderer;

    TransitionRows(StateRenderer renderer) {
        this.renderer = renderer;
    }

    /**
     * Rows of one group; none if no turn counts.
     *
     * @param expert whose trajectory it is
     * @param next decisions in the states before each turn but the first; empty for the logged ones
     */
    List<TrainingRow> of(
            Trajectory trajectory, boolean expert, Optional<List<Decision>> next, long group) {
        List<Row> rows = new ArrayList<>();
        int turns = 0;
        double[] weights = weights(trajectory);
        double[] following = new double[trajectory.length()];
        for (RenderedSegment segment : renderer.trajectory(trajectory)) {
            Row row = new Row(segment);
            for (RenderedSegment.Reply reply : segment.replies()) {
                int turn = reply.turn();
                if (turn > 0) {
                    following[turn - 1] =
                            next.isEmpty()
                                    ? InversePrmLoss.LOGGED
                                    : row.branch(
                                            renderer.reply(next.get().get(turn - 1)),
                                            reply.start());
                }
            }
            turns += segment.replies().size();
            rows.add(row);
        }
        if (turns != trajectory.length()) {
            throw new AlgorithmException(
                    trajectory.id()
                            + " has "
                            + trajectory.length()
                            + " turns but its rendering shows "
                            + turns
                            + " replies: check the chat template's reply spans");
        }
        if (Arrays.stream(weights).sum() == 0) {
            return List.of();
        }
        return rows.stream()
                .map(row -> row.row(weights, following, expert ? 1 : 0).inGroup(group))
                .toList();
    }

    private static double[] weights(Trajectory trajectory) {
        double[] weights = new double[trajectory.length()];
        for (int t = 0; t < weights.length; t++) {
            boolean meant = trajectory.turns().get(t).decision().deliberate();
            boolean continued =
                    t + 1 < weights.length || trajectory.end() instanceof EpisodeEnd.Terminated;
            weights[t] = meant && continued ? 1 : 0;
        }
        return weights;
    }

    /** A row as it grows. */
    private static final class Row {
        private final List<RenderedSegment.Reply> replies;
        private TokenTree tree;

        Row(RenderedSegment segment) {
            replies = segment.replies();
            int[] tokens = segment.tokens();
            int[] marks = replies.stream().mapToInt(reply -> reply.end() - 1).toArray();
            tree = TokenTree.trunk(TokenSegment.of(tokens, new boolean[tokens.length], marks));
        }

        /** Adds an action and returns the number of its branch. */
        int branch(int[] tokens, int fork) {
            tree = tree.withBranch(TokenSegment.scored(tokens), fork);
            return tree.segments().size() - 1;
        }

        TrainingRow row(double[] weights, double[] following, double label) {
            int first = replies.isEmpty() ? 0 : replies.get(0).turn();
            int last = first + replies.size();
            double[] labels = new double[replies.size()];
            Arrays.fill(labels, label);
            return TrainingRow.of(tree)
                    .with(TrainingRow.LABEL, 0, labels)
                    .with(TrainingRow.WEIGHT, 0, Arrays.copyOfRange(weights, first, last))
                    .with(InversePrmLoss.NEXT, 0, Arrays.copyOfRange(following, first, last));
        }
    }
}
