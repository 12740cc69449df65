package io.agentprm.algos.target;

import io.agentprm.api.plugin.Components;
import io.agentprm.api.plugin.TargetEstimatorProvider;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.target.BootstrappedTargets;

/** The estimator {@code td-gae}. */
public final class TdGaeProvider implements TargetEstimatorProvider<TdGaeConfig> {
    @Override
    public String name() {
        return "td-gae";
    }

    @Override
    public String description() {
        return "Temporal-difference targets with generalised advantage estimation, from one episode"
                + " each.";
    }

    @Override
    public Class<TdGaeConfig> configuration() {
        return TdGaeConfig.class;
    }

    @Override
    public BootstrappedTargets create(
            TdGaeConfig config, Components components, RunContext context) {
        return new TdGaeEstimator(config, context.metrics());
    }
}
