package io.agentprm.api.target;

import io.agentprm.api.Stable;
import io.agentprm.api.trajectory.Trajectory;
import java.util.List;

/** Turns trajectories into values of their turns. Aborted trajectories are never labelled. */
@FunctionalInterface
@Stable(since = "1.0")
public interface TargetEstimator {
    /**
     * Labels trajectories.
     *
     * @return one element for each trajectory that can be labelled, in order
     */
    List<LabelledTrajectory> estimate(List<Trajectory> trajectories);
}
