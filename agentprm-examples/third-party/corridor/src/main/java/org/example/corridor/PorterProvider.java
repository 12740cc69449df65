package org.example.corridor;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.api.plugin.Components;
import io.agentprm.api.plugin.PolicyProvider;
import io.agentprm.api.policy.Policy;
import io.agentprm.api.run.RunContext;

/** The policy {@code corridor-porter}: reads the note, then looks for the door. */
public final class PorterProvider implements PolicyProvider<PorterProvider.Config> {
    /** Settings. */
    @Description("A porter who knows his trade, but is not always attentive.")
    public record Config(
            @Description("Probability of any possible action instead, in [0, 1].") @Default("0.3")
                    double noise) {
        /** Checks the range. */
        public Config {
            if (!(noise >= 0 && noise <= 1)) {
                throw new IllegalArgumentException("noise must lie in [0, 1], was " + noise);
            }
        }
    }

    @Override
    public String name() {
        return "corridor-porter";
    }

    @Override
    public String description() {
        return "A porter who reads the note and looks for the door, with some noise.";
    }

    @Override
    public Class<Config> configuration() {
        return Config.class;
    }

    @Override
    public Policy create(Config configuration, Components components, RunContext context) {
        return new Porter(configuration.noise());
    }
}
