package io.agentprm.api.trajectory;

import io.agentprm.api.Stable;
import java.util.OptionalDouble;

/**
 * One of the actions that a policy weighed, for logs and reports.
 *
 * @param action canonical text of the action
 * @param count how many samples proposed it
 * @param score raw score of the reward model, where there was one
 */
@Stable(since = "1.0")
public record Candidate(String action, int count, OptionalDouble score) {}
