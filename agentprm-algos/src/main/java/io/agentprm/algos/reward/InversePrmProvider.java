package io.agentprm.algos.reward;

import io.agentprm.api.optim.RewardLearner;
import io.agentprm.api.plugin.Components;
import io.agentprm.api.plugin.RewardLearnerProvider;
import io.agentprm.api.run.RunContext;

/** The reward learner {@code inverse-prm}. */
public final class InversePrmProvider implements RewardLearnerProvider<InversePrmConfig> {
    @Override
    public String name() {
        return "inverse-prm";
    }

    @Override
    public String description() {
        return "A process reward model from demonstrations and rollouts, without outcomes.";
    }

    @Override
    public Class<InversePrmConfig> configuration() {
        return InversePrmConfig.class;
    }

    @Override
    public RewardLearner create(
            InversePrmConfig config, Components components, RunContext context) {
        return new InversePrmLearner(config);
    }
}
