package doubter;

import io.agentprm.api.AgentPrmException;
import io.agentprm.api.plugin.Components;
import io.agentprm.api.plugin.PolicyProvider;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.reward.RewardModel;
import io.agentprm.api.run.RunContext;

/** A choice that goes by probabilities of success, and has none to go by where scores have none. */
public final class DoubterProvider implements PolicyProvider<DoubterProvider.Config> {
    /** Configuration. */
    public record Config() {}

    @Override
    public String name() {
        return "doubter";
    }

    @Override
    public String description() {
        return "What the policy does, where that is likely to succeed.";
    }

    @Override
    public Class<Config> configuration() {
        return Config.class;
    }

    @Override
    public Policy create(Config configuration, Components components, RunContext context) {
        RewardModel values = components.rewardModel();
        if (values.probability(0).isEmpty()) {
            throw new AgentPrmException("scores of scale " + values.scale() + " have no probability");
        }
        return components.policy();
    }
}
