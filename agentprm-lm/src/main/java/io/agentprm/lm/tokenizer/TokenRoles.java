package io.agentprm.lm.tokenizer;

import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.checkpoint.ModelDirectory;

/**
 * Which ids play the special roles.
 *
 * @param beginOfSequence starts every sequence
 * @param endOfTurn ends a reply
 * @param padding fills; may equal another id, since masks alone tell padding
 */
public record TokenRoles(int beginOfSequence, int endOfTurn, int padding) {

    /**
     * The roles that a model's configuration gives: its begin of sequence (or else its end), the
     * first of its stop tokens, its padding (or else its end).
     *
     * @throws LanguageModelException if it names no end token
     */
    public static TokenRoles of(ModelDirectory model) {
        if (model.stopTokenIds().isEmpty()) {
            throw new LanguageModelException(
                    model.path()
                            + ": neither generation_config.json nor config.json has an"
                            + " eos_token_id; add the id that ends a reply");
        }
        int end = model.stopTokenIds().get(0);
        return new TokenRoles(
                model.config().bosTokenId().orElse(end),
                end,
                model.config().padTokenId().orElse(end));
    }
}
