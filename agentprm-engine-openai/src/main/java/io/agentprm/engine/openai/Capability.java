package io.agentprm.engine.openai;

/** What a server may be able to do. */
public enum Capability {
    /** Takes prompts as token ids and gives the ids that it sampled. */
    TOKEN_IDS("token ids"),
    /** The same seed gives the same reply. */
    SEEDS("seeds"),
    /** Keeps to a grammar over token ids. */
    TOKEN_GRAMMARS("grammars of token ids"),
    /** Gives the log-probabilities of the tokens of a prompt. */
    PROMPT_LOG_PROBS("log-probabilities of prompt tokens"),
    /** Gives the output of a model's score head. */
    SCORES("scores of a reward model");

    private final String title;

    Capability(String title) {
        this.title = title;
    }

    @Override
    public String toString() {
        return title;
    }
}
