package io.agentprm.api.plugin;

import io.agentprm.api.env.Environment;
import io.agentprm.api.run.RunContext;

/** Opens environments. */
public interface EnvironmentProvider<C extends Record> extends Provider<C> {
    Environment create(C configuration, RunContext context);
}
