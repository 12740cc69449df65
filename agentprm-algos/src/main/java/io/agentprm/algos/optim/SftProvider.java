package io.agentprm.algos.optim;

import io.agentprm.api.optim.PolicyOptimizer;
import io.agentprm.api.plugin.Components;
import io.agentprm.api.plugin.PolicyOptimizerProvider;
import io.agentprm.api.run.RunContext;

/** The optimiser {@code sft}. */
public final class SftProvider implements PolicyOptimizerProvider<SftConfig> {
    @Override
    public String name() {
        return "sft";
    }

    @Override
    public String description() {
        return "Supervised fine-tuning on the agent's own replies of trajectories.";
    }

    @Override
    public Class<SftConfig> configuration() {
        return SftConfig.class;
    }

    @Override
    public PolicyOptimizer create(SftConfig config, Components components, RunContext context) {
        return new SftOptimizer(config);
    }
}
