package io.agentprm.api.plugin;

import io.agentprm.api.Experimental;
import io.agentprm.api.optim.PolicyOptimizer;
import io.agentprm.api.run.RunContext;

/** Makes policy optimisers. */
@Experimental(since = "1.0")
public interface PolicyOptimizerProvider<C extends Record> extends Provider<C> {
    PolicyOptimizer create(C configuration, Components components, RunContext context);
}
