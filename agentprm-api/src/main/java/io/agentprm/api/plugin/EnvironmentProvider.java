package io.agentprm.api.plugin;

import io.agentprm.api.Stable;
import io.agentprm.api.env.Environment;
import io.agentprm.api.run.RunContext;

/** Opens environments. */
@Stable(since = "1.0")
public interface EnvironmentProvider<C extends Record> extends Provider<C> {
    /**
     * Opens the environment. Called once for a run and in a check of its configuration, so that
     * what takes long is better left for later.
     *
     * @throws io.agentprm.api.AgentPrmException if the settings do not fit what is there; the
     *     message names the setting and what to do
     */
    Environment create(C configuration, RunContext context);
}
