package io.agentprm.api.reward;

import io.agentprm.api.Stable;

/** What a raw score means. Ranking always uses raw scores. */
@Stable(since = "1.0")
public enum ScoreScale {
    /** Log-odds of success; probability is the logistic function of it. */
    LOGIT,
    /** A probability in [0, 1]. */
    PROBABILITY,
    /** Any real number, without a probability. */
    UNBOUNDED
}
