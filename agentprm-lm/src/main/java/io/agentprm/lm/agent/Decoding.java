package io.agentprm.lm.agent;

/** What a policy may write. */
public enum Decoding {
    /**
     * Anything; the reply is parsed, and an action that the environment does not know stays one.
     */
    FREE,
    /**
     * Only actions that the environment lists as admissible, by a trie over their tokens.
     * Log-probabilities stay those of the unconstrained model. Where an environment lists none,
     * replies are free.
     */
    CONSTRAINED
}
