package io.agentprm.api.lm;

import io.agentprm.api.Experimental;

/**
 * AdamW with decoupled weight decay (Loshchilov and Hutter, ICLR 2019).
 *
 * @param beta1 decay of the first moment
 * @param beta2 decay of the second moment
 * @param epsilon added to the root of the second moment
 * @param weightDecay applied to every weight, times the learning rate
 */
@Experimental(since = "1.0")
public record OptimizerOptions(double beta1, double beta2, double epsilon, double weightDecay) {
    /** The usual values: 0.9, 0.999, 1e-8, and the given decay. */
    public static OptimizerOptions adamW(double weightDecay) {
        return new OptimizerOptions(0.9, 0.999, 1e-8, weightDecay);
    }
}
