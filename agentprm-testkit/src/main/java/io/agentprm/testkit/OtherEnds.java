package io.agentprm.testkit;

import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import java.util.List;

/** Episodes as they would have been with another end. */
final class OtherEnds {
    static final EpisodeEnd ABORTED = new EpisodeEnd.Aborted("a deadline");
    static final EpisodeEnd TRUNCATED = new EpisodeEnd.Truncated("a turn budget");

    private OtherEnds() {}

    /** The same episode with another number and another end, and no reward on the way. */
    static Trajectory of(Trajectory trajectory, int episode, EpisodeEnd end) {
        Trajectory.Builder builder =
                Trajectory.builder(trajectory.task(), trajectory.instruction())
                        .episode(episode)
                        .seed(trajectory.seed())
                        .policyId(trajectory.policyId());
        for (Turn turn : trajectory.turns()) {
            builder.add(Turn.of(turn.observation(), turn.decision(), turn.feedback(), 0));
        }
        return builder.end(trajectory.finalObservation(), end);
    }

    /** What went well goes wrong, and the other way round. */
    static List<Trajectory> opposite(List<Trajectory> trajectories) {
        return trajectories.stream()
                .map(t -> of(t, t.episode(), opposite(1 - t.outcome().orElse(0))))
                .toList();
    }

    private static EpisodeEnd opposite(double outcome) {
        boolean success = outcome == 1;
        return new EpisodeEnd.Terminated(
                success ? EpisodeEnd.Reason.GOAL : EpisodeEnd.Reason.FAILURE, outcome, success);
    }
}
