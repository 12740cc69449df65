package io.agentprm.algos.policy;

import io.agentprm.api.plugin.Components;
import io.agentprm.api.plugin.PolicyProvider;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.RunContext;

/** The policy {@code majority-vote}: a control for {@code best-of-n} that needs no reward model. */
public final class MajorityVoteProvider implements PolicyProvider<ChoiceConfig> {
    @Override
    public String name() {
        return "majority-vote";
    }

    @Override
    public String description() {
        return "The candidate proposed most often: a control for best-of-n.";
    }

    @Override
    public Class<ChoiceConfig> configuration() {
        return ChoiceConfig.class;
    }

    @Override
    public Policy create(ChoiceConfig config, Components components, RunContext context) {
        return new ChoicePolicy(
                name(), components.policy(), config, new MajorityChooser(), context.metrics());
    }
}
