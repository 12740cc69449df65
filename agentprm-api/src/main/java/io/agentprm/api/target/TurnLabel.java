package io.agentprm.api.target;

import io.agentprm.api.Stable;

/**
 * The estimated value of one turn's decision.
 *
 * @param value estimate of Q(s, a), in the estimator's range
 * @param visits number of visits that it is the mean of
 */
@Stable(since = "1.0")
public record TurnLabel(double value, int visits) {}
