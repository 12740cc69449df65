package io.agentprm.api.plugin;

import io.agentprm.api.Experimental;
import io.agentprm.api.optim.RewardLearner;
import io.agentprm.api.run.RunContext;

/** Makes learners of reward models. */
@Experimental(since = "1.0")
public interface RewardLearnerProvider<C extends Record> extends Provider<C> {
    RewardLearner create(C configuration, Components components, RunContext context);
}
