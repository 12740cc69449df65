package io.agentprm.algos.policy;

import io.agentprm.api.plugin.Components;
import io.agentprm.api.plugin.PolicyProvider;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.RunContext;

/**
 * The policy {@code best-of-n}: per turn, N candidates of the run's policy, of which the run's
 * reward model scores each distinct action once; the highest score is executed. Candidates without
 * an action or with an inadmissible one compete only where there is nothing else. Among equal
 * scores the action proposed most often wins, then the one proposed first; a score that is not
 * finite never wins. With N = 1 it is the bare policy, and no reward model is needed.
 */
public final class BestOfNProvider implements PolicyProvider<ChoiceConfig> {
    @Override
    public String name() {
        return "best-of-n";
    }

    @Override
    public String description() {
        return "The candidate that the reward model scores highest, turn by turn.";
    }

    @Override
    public Class<ChoiceConfig> configuration() {
        return ChoiceConfig.class;
    }

    @Override
    public Policy create(ChoiceConfig config, Components components, RunContext context) {
        if (config.n() == 1) {
            return components.policy();
        }
        return new ChoicePolicy(
                name(),
                components.policy(),
                config,
                new ScoreChooser(components.rewardModel(), context.metrics()),
                context.metrics());
    }
}
