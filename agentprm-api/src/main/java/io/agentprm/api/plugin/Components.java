package io.agentprm.api.plugin;

import io.agentprm.api.Stable;
import io.agentprm.api.env.Environment;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.rollout.Rollouts;

/**
 * Typed references to the other components of a run. Asking for one that the run does not have is
 * an error that says so.
 */
@Stable(since = "1.0")
public interface Components {
    Environment environment();

    Policy policy();

    RewardModel rewardModel();

    InferenceEngine engine();

    Rollouts rollouts();
}
