package io.agentprm.core.report;

import java.util.Optional;

/**
 * Result on the tasks of one category.
 *
 * @param category name of the category
 * @param episodes number of episodes
 * @param success share of successful episodes
 * @param score mean outcome; empty where every outcome of the evaluation is 0 or 1
 * @param meanActions mean number of actions of all its episodes; a failure may count as the step
 *     limit
 */
public record CategoryResult(
        String category,
        int episodes,
        Estimate success,
        Optional<Estimate> score,
        double meanActions) {}
