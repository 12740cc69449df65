package io.agentprm.core.report;

/**
 * Result on the tasks of one category.
 *
 * @param category name of the category
 * @param episodes number of episodes
 * @param success share of successful episodes
 * @param meanActions mean number of actions of all its episodes
 */
public record CategoryResult(String category, int episodes, Estimate success, double meanActions) {}
