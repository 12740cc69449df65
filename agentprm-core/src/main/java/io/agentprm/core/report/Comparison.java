package io.agentprm.core.report;

import java.util.Optional;

/**
 * Paired comparison of two agents on the same task and seed pairs.
 *
 * @param agent the one that is hoped to be better
 * @param baseline the other
 * @param pairs number of pairs
 * @param difference mean difference of success (agent minus baseline) with its interval
 * @param score mean difference of outcome on the same pairs; empty where every outcome is 0 or 1
 */
public record Comparison(
        String agent, String baseline, int pairs, Estimate difference, Optional<Estimate> score) {}
