package io.agentprm.algos.optim;

import io.agentprm.api.optim.PolicyOptimizer;
import io.agentprm.api.plugin.Components;
import io.agentprm.api.plugin.PolicyOptimizerProvider;
import io.agentprm.api.run.RunContext;

/** The optimiser {@code online-dpo}. */
public final class OnlineDpoProvider implements PolicyOptimizerProvider<OnlineDpoConfig> {
    @Override
    public String name() {
        return "online-dpo";
    }

    @Override
    public String description() {
        return "Online direct preference optimisation against a process reward model.";
    }

    @Override
    public Class<OnlineDpoConfig> configuration() {
        return OnlineDpoConfig.class;
    }

    @Override
    public PolicyOptimizer create(
            OnlineDpoConfig config, Components components, RunContext context) {
        return new OnlineDpoOptimizer(config);
    }
}
