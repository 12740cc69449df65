package io.agentprm.api.lm;

import io.agentprm.api.Experimental;
import java.util.Map;

/**
 * What one optimiser step did.
 *
 * @param loss loss of the whole batch before the step
 * @param gradientNorm global norm before clipping
 * @param applied false if loss or gradient was not finite and the step was skipped
 * @param metrics figures of the loss, summed over micro-batches
 */
@Experimental(since = "1.0")
public record UpdateReport(
        double loss, double gradientNorm, boolean applied, Map<String, Double> metrics) {}
