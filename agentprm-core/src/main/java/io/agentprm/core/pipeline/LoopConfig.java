package io.agentprm.core.pipeline;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.core.config.ComponentConfig;

/** One iteration: rollouts, targets, reward model, policy. */
@Description("The iterated part: rollouts, targets, reward model, policy.")
public record LoopConfig(
        @Description("Number of iterations; 0 stops after the first policy.") @Default("3")
                int iterations,
        @Description("Rollouts of the current policy.") CollectionConfig rollouts,
        @Description(
                        "Estimator that labels every turn; not used by learners that need no"
                                + " labels, such as inverse-prm.")
                @Default("mc")
                ComponentConfig targets,
        @Description("Learner of the process reward model.") @Default("prm") ComponentConfig prm,
        @Description(
                        "What each reward model starts from: the current policy, or the previous reward model (the"
                                + " first one from the policy).")
                @Default("policy")
                RewardModelStart prmStart,
        @Description("Optimiser that improves the policy against the reward model.")
                @Default("online-dpo")
                ComponentConfig optimizer) {
    /** Checks the ranges. */
    public LoopConfig {
        Range.atLeast(0, "iterations", iterations);
    }

    /** What a reward model starts from. */
    public enum RewardModelStart {
        POLICY,
        PREVIOUS
    }
}
