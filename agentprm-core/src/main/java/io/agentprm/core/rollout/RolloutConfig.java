package io.agentprm.core.rollout;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import java.time.Duration;

/** Settings of the rollout runner. None of them changes what an episode contains. */
@Description("How episodes are played.")
public record RolloutConfig(
        @Description(
                        "Largest number of episodes played side by side: the policy decides for all of"
                                + " them in one call.")
                @Default("64")
                int batch,
        @Description("Threads on which environments work.") @Default("2") int threads,
        @Description(
                        "Longest time of one call of an environment; past it the episode is aborted"
                                + " and the others go on.")
                @Default("60s")
                Duration deadline) {
    public RolloutConfig {
        if (batch < 1) {
            throw new IllegalArgumentException("batch must be 1 or more, was " + batch);
        }
        if (threads < 1) {
            throw new IllegalArgumentException("threads must be 1 or more, was " + threads);
        }
        if (deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("deadline must be positive, was " + deadline);
        }
    }

    /** The defaults. */
    public static RolloutConfig defaults() {
        return new RolloutConfig(64, 2, Duration.ofSeconds(60));
    }
}
