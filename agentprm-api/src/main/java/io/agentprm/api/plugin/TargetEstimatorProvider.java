package io.agentprm.api.plugin;

import io.agentprm.api.Stable;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.target.TargetEstimator;

/** Makes target estimators. */
@Stable(since = "1.0")
public interface TargetEstimatorProvider<C extends Record> extends Provider<C> {
    TargetEstimator create(C configuration, Components components, RunContext context);
}
