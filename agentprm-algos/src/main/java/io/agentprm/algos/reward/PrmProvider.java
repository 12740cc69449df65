package io.agentprm.algos.reward;

import io.agentprm.api.optim.RewardLearner;
import io.agentprm.api.plugin.Components;
import io.agentprm.api.plugin.RewardLearnerProvider;
import io.agentprm.api.run.RunContext;

/** The reward learner {@code prm}. */
public final class PrmProvider implements RewardLearnerProvider<PrmConfig> {
    @Override
    public String name() {
        return "prm";
    }

    @Override
    public String description() {
        return "A process reward model from labelled turns.";
    }

    @Override
    public Class<PrmConfig> configuration() {
        return PrmConfig.class;
    }

    @Override
    public RewardLearner create(PrmConfig config, Components components, RunContext context) {
        return new PrmLearner(config);
    }
}
