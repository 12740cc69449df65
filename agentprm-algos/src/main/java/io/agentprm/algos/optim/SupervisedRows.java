package io.agentprm.algos.optim;

import io.agentprm.algos.AlgorithmException;
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

/**
 * Rows of a trajectory whose supervised tokens are the agent's own deliberate replies, end of turn
 * included: never observations, never exploratory actions, never replies without an action.
 */
final class SupervisedRows {
    private final StateRenderer renderer;

    SupervisedRows(StateRenderer renderer) {
        this.renderer = renderer;
    }

    /** No rows if the trajectory has no reply to learn from. */
    List<TrainingRow> of(Trajectory trajectory) {
        List<TrainingRow> rows = new ArrayList<>();
        boolean wanted = trajectory.turns().stream().anyMatch(turn -> isLearnt(turn.decision()));
        for (RenderedSegment segment : renderer.trajectory(trajectory)) {
            boolean[] supervised = new boolean[segment.tokens().length];
            for (RenderedSegment.Reply reply : segment.replies()) {
                if (isLearnt(trajectory.turns().get(reply.turn()).decision())) {
                    Arrays.fill(supervised, reply.start(), reply.end(), true);
                }
            }
            TokenSegment tokens = TokenSegment.of(segment.tokens(), supervised, new int[0]);
            if (tokens.supervisedCount() > 0) {
                rows.add(TrainingRow.of(TokenTree.trunk(tokens)));
            }
        }
        if (wanted && rows.isEmpty()) {
            throw new AlgorithmException(
                    "the rendering of "
                            + trajectory.id()
                            + " has no token of any reply: check the chat template's reply spans");
        }
        return rows;
    }

    private static boolean isLearnt(Decision decision) {
        return decision.deliberate() && decision.parseFailure().isEmpty();
    }
}
