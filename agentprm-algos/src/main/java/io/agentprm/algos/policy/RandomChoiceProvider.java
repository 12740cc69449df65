package io.agentprm.algos.policy;

import io.agentprm.api.plugin.Components;
import io.agentprm.api.plugin.PolicyProvider;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.RunContext;

/** The policy {@code random-choice}: a control for {@code best-of-n} that needs no reward model. */
public final class RandomChoiceProvider implements PolicyProvider<ChoiceConfig> {
    @Override
    public String name() {
        return "random-choice";
    }

    @Override
    public String description() {
        return "One of the candidates at random: a control for best-of-n.";
    }

    @Override
    public Class<ChoiceConfig> configuration() {
        return ChoiceConfig.class;
    }

    @Override
    public Policy create(ChoiceConfig config, Components components, RunContext context) {
        return new ChoicePolicy(
                name(), components.policy(), config, new RandomChooser(), context.metrics());
    }
}
