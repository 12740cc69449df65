package io.agentprm.algos.optim;

import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.SampledTokens;

/**
 * One distinct reply to a prompt.
 *
 * @param decision the first sample that gave it
 * @param tokens its sampled tokens
 * @param count how many samples gave it
 * @param stopped whether it ended by itself
 * @param score on the margin scale; meaningless before scoring
 */
record Reply(Decision decision, SampledTokens tokens, int count, boolean stopped, double score) {
    Reply again() {
        return new Reply(decision, tokens, count + 1, stopped, score);
    }

    Reply scored(double value) {
        return new Reply(decision, tokens, count, stopped, value);
    }

    boolean sameText(Reply other) {
        return stopped == other.stopped && decision.text().equals(other.decision.text());
    }
}
