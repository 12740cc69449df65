package io.agentprm.lm.agent;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.lm.tokenizer.Alphabet;
import io.agentprm.lm.tokenizer.BpeTrainer;
import io.agentprm.lm.tokenizer.ByteLevelTokenizer;
import io.agentprm.lm.tokenizer.PreTokenizer;
import io.agentprm.lm.tokenizer.SpecialTokens;
import io.agentprm.lm.tokenizer.WordTrainer;
import java.util.Optional;

/**
 * The tokenizer that is trained on the demonstrations of a new model.
 *
 * @param kind whole words or byte pairs
 * @param size largest number of tokens
 * @param pieces how text is cut before; words for whole words and gpt2 for pairs unless given
 * @param alphabet single bytes of the vocabulary
 * @param minCount how often a word or a pair must occur to become a token
 */
@Description("The tokenizer that is trained on the demonstrations of a new model.")
public record Vocabulary(
        @Description("word: whole words, for small closed worlds; bpe: byte-level pairs.")
                @Default("word")
                Kind kind,
        @Description("Largest number of tokens.") @Default("4096") int size,
        @Description(
                        "How text is cut before: words, words-and-digits (every digit a token) or gpt2;"
                                + " unless given words for kind word and gpt2 for kind bpe.")
                Optional<PreTokenizer> pieces,
        @Description(
                        "all-bytes: any text can be encoded; seen-bytes: smaller, and text with a byte"
                                + " that the demonstrations lack is an error.")
                @Default("all-bytes")
                Alphabet alphabet,
        @Description("How often a word or a pair must occur to become a token.") @Default("2")
                int minCount) {
    /** Kind of tokenizer. */
    public enum Kind {
        WORD,
        BPE
    }

    /** Checks the ranges. */
    public Vocabulary {
        int specials = SpecialTokens.COUNT;
        int least = alphabet == Alphabet.ALL_BYTES ? specials + 256 : specials + 1;
        if (size < least) {
            throw new IllegalArgumentException(
                    "size must be at least "
                            + least
                            + " (special tokens and the bytes of the alphabet), was "
                            + size);
        }
        if (minCount < 1) {
            throw new IllegalArgumentException("min-count must be at least 1, was " + minCount);
        }
    }

    ByteLevelTokenizer train(Iterable<String> corpus) {
        SpecialTokens specials = SpecialTokens.standard();
        return switch (kind) {
            case WORD ->
                    new WordTrainer(
                                    pieces.orElse(PreTokenizer.WORDS),
                                    alphabet,
                                    size,
                                    minCount,
                                    specials)
                            .train(corpus);
            case BPE ->
                    new BpeTrainer(
                                    pieces.orElse(PreTokenizer.GPT2),
                                    alphabet,
                                    size,
                                    minCount,
                                    specials)
                            .train(corpus);
        };
    }
}
