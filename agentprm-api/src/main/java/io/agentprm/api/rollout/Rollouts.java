package io.agentprm.api.rollout;

import io.agentprm.api.Experimental;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.trajectory.Trajectory;
import java.util.List;

/** Plays episodes of an environment with a policy. */
@FunctionalInterface
@Experimental(since = "1.0")
public interface Rollouts {
    /**
     * All episodes of the plan: tasks in the plan's order, attempts in theirs; aborted ones
     * included and marked.
     */
    List<Trajectory> collect(Policy policy, RolloutPlan plan);
}
