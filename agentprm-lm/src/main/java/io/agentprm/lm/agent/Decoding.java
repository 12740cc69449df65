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
     *
     * <p>Every token is drawn among those that some admissible action goes on with. A model that
     * means to take what is not there ("take lettuce") is so led to take something else; {@link
     * #ADMISSIBLE} is not.
     */
    CONSTRAINED,
    /**
     * Free replies, drawn again until one is an admissible action: the model's own distribution
     * given that the action is admissible, exactly. In every state its log-probabilities are those
     * of the unconstrained model up to a constant, so preferences between replies to one state lose
     * nothing. What is not admissible after some draws is drawn as in {@link #CONSTRAINED}.
     */
    ADMISSIBLE
}
