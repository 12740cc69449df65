package io.agentprm.algos.train;

import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.Trajectory;
import java.util.function.Predicate;

/** Splits by a hash of the task's id: all turns of all episodes of a task are on one side. */
public final class TaskSplit {
    private static final long SEED = 42;

    private TaskSplit() {}

    /**
     * Which trajectories are held out.
     *
     * @param fraction expected share of the tasks, in [0, 1)
     */
    public static Predicate<Trajectory> heldOut(double fraction) {
        RandomSource random = RandomSource.of(SEED).derive("hold-out");
        return trajectory ->
                random.derive(trajectory.task().id()).generator().nextDouble() < fraction;
    }
}
