package io.agentprm.lm.agent;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.lm.tokenizer.BpeTrainer;
import io.agentprm.lm.tokenizer.ByteLevelTokenizer;
import io.agentprm.lm.tokenizer.WordTrainer;

/** The tokenizer that is trained on the demonstrations of a new model. */
@Description("The tokenizer that is trained on the demonstrations of a new model.")
public record Vocabulary(
        @Description("word: whole words, for small closed worlds; bpe: byte-level pairs.")
                @Default("word")
                Kind kind,
        @Description("Largest number of tokens.") @Default("4096") int size) {
    /** Kind of tokenizer. */
    public enum Kind {
        WORD,
        BPE
    }

    ByteLevelTokenizer train(Iterable<String> corpus) {
        if (kind == Kind.BPE) {
            return BpeTrainer.ofSize(size).train(corpus);
        }
        WordTrainer standard = WordTrainer.standard();
        return new WordTrainer(
                        standard.preTokenizer(),
                        standard.alphabet(),
                        size,
                        standard.minCount(),
                        standard.specials())
                .train(corpus);
    }
}
