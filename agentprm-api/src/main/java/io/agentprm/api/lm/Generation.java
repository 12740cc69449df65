package io.agentprm.api.lm;

/**
 * One continuation.
 *
 * @param tokens sampled ids, and the log-probabilities under which they were sampled
 * @param stopped true if it ended with the end-of-turn token, false if it hit the length limit
 */
public record Generation(io.agentprm.api.trajectory.SampledTokens tokens, boolean stopped) {}
