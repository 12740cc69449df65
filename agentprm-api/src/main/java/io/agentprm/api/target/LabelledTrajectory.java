package io.agentprm.api.target;

import io.agentprm.api.Stable;
import io.agentprm.api.trajectory.Trajectory;
import java.util.List;
import java.util.Optional;

/**
 * A trajectory with a label for each of its turns that has one. Immutable. The trajectory's policy
 * id says whose values they are.
 */
@Stable(since = "1.0")
public final class LabelledTrajectory {
    private final Trajectory trajectory;
    private final List<Optional<TurnLabel>> labels;

    private LabelledTrajectory(Trajectory trajectory, List<Optional<TurnLabel>> labels) {
        if (labels.size() != trajectory.length()) {
            throw new IllegalArgumentException(
                    trajectory.length()
                            + " turns but "
                            + labels.size()
                            + " labels in "
                            + trajectory.id());
        }
        this.trajectory = trajectory;
        this.labels = List.copyOf(labels);
    }

    public static LabelledTrajectory of(Trajectory trajectory, List<Optional<TurnLabel>> labels) {
        return new LabelledTrajectory(trajectory, labels);
    }

    public Trajectory trajectory() {
        return trajectory;
    }

    /** One element per turn; empty where the turn carries no label. */
    public List<Optional<TurnLabel>> labels() {
        return labels;
    }
}
