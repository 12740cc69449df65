package io.agentprm.algos.policy;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;

/** Configuration of the policies that sample several candidates and choose one. */
@Description("Samples several candidates per turn and executes one of them.")
public record ChoiceConfig(
        @Description("Number of candidates sampled per turn, at least 1; 1 is the bare policy.")
                @Default("16")
                int n,
        @Description("Sampling temperature of the candidates; 0 is greedy.") @Default("0.7")
                double temperature) {
    /** Checks the ranges. */
    public ChoiceConfig {
        if (n < 1) {
            throw new IllegalArgumentException("n must be at least 1, was " + n);
        }
        if (!(temperature >= 0)) {
            throw new IllegalArgumentException("temperature must be 0 or more, was " + temperature);
        }
    }
}
