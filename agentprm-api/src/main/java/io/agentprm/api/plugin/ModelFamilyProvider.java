package io.agentprm.api.plugin;

import io.agentprm.api.lm.ModelFamily;
import io.agentprm.api.run.RunContext;

/** Makes model families. */
public interface ModelFamilyProvider<C extends Record> extends Provider<C> {
    ModelFamily create(C configuration, RunContext context);
}
