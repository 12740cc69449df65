package io.agentprm.algos.reward;

import io.agentprm.algos.AlgorithmException;
import io.agentprm.api.lm.RenderedSegment;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.target.TurnLabel;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of a labelled trajectory: one per segment, a mark at the last token of each labelled reply.
 * Labels are not part of the tokens, so no turn can read another one's label.
 */
final class LabelledRows {
    private final StateRenderer renderer;
    private final PrmConfig.Weighting weighting;

    LabelledRows(StateRenderer renderer, PrmConfig.Weighting weighting) {
        this.renderer = renderer;
        this.weighting = weighting;
    }

    /** No rows if no turn has a label. */
    List<TrainingRow> of(LabelledTrajectory labelled) {
        List<TrainingRow> rows = new ArrayList<>();
        int marked = 0;
        for (RenderedSegment segment : renderer.trajectory(labelled.trajectory())) {
            List<RenderedSegment.Reply> replies =
                    segment.replies().stream()
                            .filter(reply -> labelled.labels().get(reply.turn()).isPresent())
                            .toList();
            if (!replies.isEmpty()) {
                rows.add(row(segment, replies, labelled));
                marked += replies.size();
            }
        }
        long labels = labelled.labels().stream().filter(label -> label.isPresent()).count();
        if (marked != labels) {
            throw new AlgorithmException(
                    labelled.trajectory().id()
                            + " has "
                            + labels
                            + " labels but its rendering shows "
                            + marked
                            + " of the labelled replies: check the chat template's reply spans");
        }
        return rows;
    }

    private TrainingRow row(
            RenderedSegment segment,
            List<RenderedSegment.Reply> replies,
            LabelledTrajectory labelled) {
        int[] marks = new int[replies.size()];
        double[] values = new double[replies.size()];
        double[] weights = new double[replies.size()];
        for (int i = 0; i < marks.length; i++) {
            TurnLabel label = labelled.labels().get(replies.get(i).turn()).orElseThrow();
            marks[i] = replies.get(i).end() - 1;
            values[i] = label.value();
            weights[i] = weighting == PrmConfig.Weighting.PER_GROUP ? 1.0 / label.visits() : 1;
        }
        int[] tokens = segment.tokens();
        return TrainingRow.of(
                        TokenTree.trunk(TokenSegment.of(tokens, new boolean[tokens.length], marks)))
                .with(TrainingRow.LABEL, 0, values)
                .with(TrainingRow.WEIGHT, 0, weights);
    }
}
