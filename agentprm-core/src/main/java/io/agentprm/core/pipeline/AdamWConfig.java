package io.agentprm.core.pipeline;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.api.lm.OptimizerOptions;

/** Settings of AdamW that do not change during training. */
@Description("AdamW with decoupled weight decay.")
public record AdamWConfig(
        @Description("Decay of the first moment.") @Default("0.9") double beta1,
        @Description("Decay of the second moment.") @Default("0.95") double beta2,
        @Description("Added to the root of the second moment.") @Default("1.0e-8") double epsilon,
        @Description("Weight decay, times the learning rate.") @Default("0.01")
                double weightDecay) {
    /** Checks the ranges. */
    public AdamWConfig {
        Range.share("beta1", beta1);
        Range.share("beta2", beta2);
        Range.above(0, "epsilon", epsilon);
        Range.atLeast(0, "weight-decay", weightDecay);
    }

    OptimizerOptions options() {
        return new OptimizerOptions(beta1, beta2, epsilon, weightDecay);
    }
}
