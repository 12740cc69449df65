package io.agentprm.algos.target;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Task;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import java.util.List;

/** Short ways to write trajectories. */
final class Episodes {
    static final EpisodeEnd SUCCESS = new EpisodeEnd.Terminated(EpisodeEnd.Reason.GOAL, 1, true);
    static final EpisodeEnd FAILURE =
            new EpisodeEnd.Terminated(EpisodeEnd.Reason.STEP_LIMIT, 0, false);

    private Episodes() {}

    static Trajectory of(EpisodeEnd end, String... actions) {
        return of("pi-0", List.of("x", "y"), "", end, actions);
    }

    /** A failure with these rewards by turn. */
    static Trajectory ofRewards(double... rewards) {
        Trajectory.Builder builder = Trajectory.builder(Task.of("t", "train", "c"), "do it");
        for (double reward : rewards) {
            builder.add(
                    Turn.of(
                            Observation.text("o"),
                            Decision.of("a" + reward),
                            new ActionFeedback.Valid(),
                            reward));
        }
        return builder.end(Observation.text("end"), FAILURE);
    }

    static Trajectory of(
            String policy,
            List<String> candidates,
            String reason,
            EpisodeEnd end,
            String... actions) {
        Trajectory.Builder builder =
                Trajectory.builder(Task.of("t", "train", "c"), "do it").policyId(policy);
        for (int t = 0; t < actions.length; t++) {
            boolean last = t == actions.length - 1;
            double reward =
                    last && end instanceof EpisodeEnd.Terminated terminated
                            ? terminated.outcome()
                            : 0;
            builder.add(
                    Turn.of(
                            Observation.text("o" + t).withAdmissibleActions(candidates),
                            Decision.builder(Action.text(actions[t])).reason(reason).build(),
                            new ActionFeedback.Valid(),
                            reward));
        }
        return builder.end(Observation.text("end"), end);
    }
}
