package io.agentprm.engine.openai;

import io.agentprm.api.reward.ScoreScale;

/** Where a server gives scores. */
public enum ScoreEndpoint {
    /** vLLM's {@code /pooling}: the head's output as it is. */
    POOLING,
    /** vLLM's {@code /classify}: a probability of each class. SGLang's: the head's output. */
    CLASSIFY,
    /** vLLM's {@code /score}: how well the reply (second text) fits the state (first text). */
    SCORE;

    /** What a score usually means there. */
    ScoreScale scale(Dialect dialect) {
        return this == POOLING || dialect == Dialect.SGLANG
                ? ScoreScale.LOGIT
                : ScoreScale.PROBABILITY;
    }
}
