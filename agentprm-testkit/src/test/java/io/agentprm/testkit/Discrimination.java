package io.agentprm.testkit;

import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.optim.LearningRequest;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.target.TurnLabel;
import io.agentprm.api.trajectory.Trajectory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Tells the turns of demonstrations from those of rollouts: a good learner of the other kind. */
class Discrimination extends Regression {
    @Override
    public Supervision supervision() {
        return Supervision.DEMONSTRATIONS;
    }

    @Override
    public ScoreScale scale() {
        return ScoreScale.UNBOUNDED;
    }

    @Override
    List<LabelledTrajectory> data(LearningRequest request) {
        List<LabelledTrajectory> sides = new ArrayList<>();
        request.imitation()
                .filter(imitation -> !imitation.demonstrations().isEmpty())
                .ifPresent(
                        imitation -> {
                            imitation.demonstrations().forEach(t -> add(sides, t, 1));
                            imitation.rollouts().forEach(t -> add(sides, t, rollout(t)));
                        });
        return sides;
    }

    private void add(List<LabelledTrajectory> sides, Trajectory trajectory, double side) {
        if (usable(trajectory)) {
            sides.add(
                    LabelledTrajectory.of(
                            trajectory,
                            Collections.nCopies(
                                    trajectory.length(), Optional.of(new TurnLabel(side, 1)))));
        }
    }

    boolean usable(Trajectory trajectory) {
        return !(trajectory.end() instanceof EpisodeEnd.Aborted);
    }

    /** The side of a rollout. */
    double rollout(Trajectory trajectory) {
        return 0;
    }
}
