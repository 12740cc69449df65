package io.agentprm.api.plugin;

import io.agentprm.api.Experimental;
import io.agentprm.api.lm.AgentModels;
import io.agentprm.api.run.RunContext;

/** Says how the models of an agent are made, rendered and decoded. */
@Experimental(since = "1.0")
public interface AgentModelsProvider<C extends Record> extends Provider<C> {
    AgentModels create(C configuration, RunContext context);
}
