package io.agentprm.api.lm;

import io.agentprm.api.Experimental;

/**
 * One continuation.
 *
 * @param tokens sampled ids, and the log-probabilities under which they were sampled
 * @param stopped true if it ended with the end-of-turn token, false if it hit the length limit
 */
@Experimental(since = "1.0")
public record Generation(io.agentprm.api.trajectory.SampledTokens tokens, boolean stopped) {}
