package io.agentprm.lm.tokenizer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Trains byte-level byte-pair encoding (Sennrich et al. 2016, section 3.2, on bytes as Radford et
 * al. 2019): the most frequent pair of neighbouring tokens becomes a new token, again and again.
 * Pair counts are kept up to date merge by merge. Ties go to the pair with the lower left id, then
 * the lower right id, so the result is the same on every machine.
 *
 * @param preTokenizer tokens never cross its cuts
 * @param alphabet single bytes of the vocabulary
 * @param vocabularySize target size, special tokens and bytes included; smaller where no pair is
 *     left that is frequent enough
 * @param minCount a rarer pair is not merged
 * @param specials the special tokens, ids 0 to 2
 */
public record BpeTrainer(
        PreTokenizer preTokenizer,
        Alphabet alphabet,
        int vocabularySize,
        int minCount,
        SpecialTokens specials) {

    /** GPT-2's cuts, all bytes, pairs seen twice. */
    public static BpeTrainer ofSize(int vocabularySize) {
        return new BpeTrainer(
                PreTokenizer.GPT2, Alphabet.ALL_BYTES, vocabularySize, 2, SpecialTokens.standard());
    }

    /** Trains on texts as they will be encoded. The result does not depend on their order. */
    public ByteLevelTokenizer train(Iterable<String> corpus) {
        PieceCounts counts = PieceCounts.of(corpus, preTokenizer);
        List<String> vocabulary = new ArrayList<>();
        counts.addBase(vocabulary, specials, alphabet);
        Map<String, Integer> ids = new HashMap<>();
        for (int id = specials.inOrder().size(); id < vocabulary.size(); id++) {
            ids.put(vocabulary.get(id), id);
        }
        PairTable pairs = new PairTable();
        for (PieceCounts.Piece piece : counts.pieces()) {
            pairs.add(PieceCounts.ids(piece.symbols(), ids), piece.count());
        }
        List<PairTable.Pair> merged = new ArrayList<>();
        while (vocabulary.size() < vocabularySize) {
            PairTable.Pair best = pairs.mostFrequent();
            if (best.count() < Math.max(1, minCount)) {
                break;
            }
            String left = vocabulary.get(best.left());
            String right = vocabulary.get(best.right());
            merged.add(best);
            // Two merges can make the same text in different ways; they share one id.
            Integer known = ids.get(left + right);
            int id = known == null ? vocabulary.size() : known;
            if (known == null) {
                vocabulary.add(left + right);
                ids.put(left + right, id);
            }
            pairs.merge(best, id);
        }
        MergeRules rules = new MergeRules(merged.size());
        for (PairTable.Pair pair : merged) {
            String both = vocabulary.get(pair.left()) + vocabulary.get(pair.right());
            rules.add(pair.left(), pair.right(), ids.get(both));
        }
        return PieceCounts.tokenizer(preTokenizer, vocabulary, rules, false);
    }
}
