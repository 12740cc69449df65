package io.agentprm.lm.tokenizer;

import java.util.ArrayList;
import java.util.List;

/**
 * Trains a vocabulary of whole words for small closed worlds, where every word is worth one token.
 * What is not in the vocabulary falls into bytes, so the text still survives exactly.
 *
 * @param preTokenizer what a word is
 * @param alphabet single bytes of the vocabulary
 * @param maxVocabulary upper limit of the vocabulary, special tokens and bytes included; the most
 *     frequent words are kept
 * @param minCount a word that occurs less often falls into bytes
 * @param specials the special tokens, ids 0 to 2
 */
public record WordTrainer(
        PreTokenizer preTokenizer,
        Alphabet alphabet,
        int maxVocabulary,
        int minCount,
        SpecialTokens specials) {

    /** Words and numbers as they come, all bytes, at most 4,096 tokens, every word seen twice. */
    public static WordTrainer standard() {
        return new WordTrainer(
                PreTokenizer.WORDS, Alphabet.ALL_BYTES, 4096, 2, SpecialTokens.standard());
    }

    /** Trains on texts as they will be encoded. The result does not depend on their order. */
    public ByteLevelTokenizer train(Iterable<String> corpus) {
        PieceCounts counts = PieceCounts.of(corpus, preTokenizer);
        List<String> vocabulary = new ArrayList<>();
        counts.addBase(vocabulary, specials, alphabet);
        for (PieceCounts.Piece piece : counts.pieces()) {
            boolean word = piece.symbols().length() > 1 && piece.count() >= minCount;
            if (word && vocabulary.size() < maxVocabulary) {
                vocabulary.add(piece.symbols());
            }
        }
        return PieceCounts.tokenizer(preTokenizer, vocabulary, new MergeRules(0), true);
    }
}
