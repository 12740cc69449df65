package io.agentprm.api.optim;

import java.util.Map;
import java.util.TreeMap;

/**
 * What an optimisation did.
 *
 * @param steps optimiser steps taken
 * @param summary final figures by name (losses, KL, pairs dropped), sorted
 */
public record OptimizationReport(long steps, Map<String, Double> summary) {
    public OptimizationReport {
        summary = java.util.Collections.unmodifiableMap(new TreeMap<>(summary));
    }
}
