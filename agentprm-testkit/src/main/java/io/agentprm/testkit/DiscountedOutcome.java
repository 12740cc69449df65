package io.agentprm.testkit;

import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.target.TargetEstimator;
import io.agentprm.api.target.TurnLabel;
import io.agentprm.api.trajectory.Trajectory;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The plainest labels: the outcome, discounted by the turns to the end. */
record DiscountedOutcome(double gamma) implements TargetEstimator {
    @Override
    public List<LabelledTrajectory> estimate(List<Trajectory> trajectories) {
        return trajectories.stream()
                .filter(trajectory -> trajectory.outcome().isPresent())
                .map(this::label)
                .toList();
    }

    private LabelledTrajectory label(Trajectory trajectory) {
        int last = trajectory.length() - 1;
        double outcome = trajectory.outcome().orElseThrow();
        return LabelledTrajectory.of(
                trajectory,
                IntStream.rangeClosed(0, last)
                        .mapToObj(t -> new TurnLabel(Math.pow(gamma, last - t) * outcome, 1))
                        .map(Optional::of)
                        .toList());
    }
}
