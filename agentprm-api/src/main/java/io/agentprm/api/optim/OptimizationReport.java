package io.agentprm.api.optim;

import io.agentprm.api.Experimental;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an optimisation did.
 *
 * @param steps optimiser steps taken
 * @param summary final figures by name (losses, KL, pairs dropped), sorted
 */
@Experimental(since = "1.0")
public record OptimizationReport(long steps, Map<String, Double> summary) {
    public OptimizationReport {
        summary = java.util.Collections.unmodifiableMap(new TreeMap<>(summary));
    }
}
