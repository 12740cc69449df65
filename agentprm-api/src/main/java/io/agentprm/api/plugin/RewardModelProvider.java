package io.agentprm.api.plugin;

import io.agentprm.api.Stable;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.run.RunContext;

/** Makes reward models. */
@Stable(since = "1.0")
public interface RewardModelProvider<C extends Record> extends Provider<C> {
    RewardModel create(C configuration, Components components, RunContext context);
}
