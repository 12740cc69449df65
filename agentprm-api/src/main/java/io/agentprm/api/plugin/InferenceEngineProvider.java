package io.agentprm.api.plugin;

import io.agentprm.api.Experimental;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.run.RunContext;

/** Opens inference engines. Native libraries load here, not at discovery. */
@Experimental(since = "1.0")
public interface InferenceEngineProvider<C extends Record> extends Provider<C> {
    InferenceEngine create(C configuration, RunContext context);
}
