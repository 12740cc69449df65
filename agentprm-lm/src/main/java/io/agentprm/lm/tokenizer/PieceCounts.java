package io.agentprm.lm.tokenizer;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How often each piece occurs in a corpus, as byte symbols, most frequent first. */
record PieceCounts(List<Piece> pieces, BitSet bytes) {

    record Piece(String symbols, long count) {}

    static PieceCounts of(Iterable<String> corpus, PreTokenizer preTokenizer) {
        Map<String, long[]> counts = new HashMap<>();
        for (String text : corpus) {
            preTokenizer.split(text, p -> counts.computeIfAbsent(p, k -> new long[1])[0]++);
        }
        List<Piece> pieces =
                counts.entrySet().stream()
                        .map(e -> new Piece(ByteAlphabet.toSymbols(e.getKey()), e.getValue()[0]))
                        .sorted(
                                (a, b) ->
                                        a.count() != b.count()
                                                ? Long.compare(b.count(), a.count())
                                                : a.symbols().compareTo(b.symbols()))
                        .toList();
        BitSet seen = new BitSet(256);
        for (Piece piece : pieces) {
            for (byte b : ByteAlphabet.toBytes(piece.symbols())) {
                seen.set(b & 0xff);
            }
        }
        return new PieceCounts(pieces, seen);
    }

    /** Special tokens, then single bytes in ascending order: the start of every vocabulary. */
    void addBase(Collection<String> vocabulary, SpecialTokens specials, Alphabet alphabet) {
        vocabulary.addAll(specials.inOrder());
        for (int b = 0; b < 256; b++) {
            if (alphabet == Alphabet.ALL_BYTES || bytes.get(b)) {
                vocabulary.add(ByteAlphabet.symbol(b));
            }
        }
    }

    static int[] ids(String symbols, Map<String, Integer> ids) {
        int[] out = new int[symbols.length()];
        Arrays.setAll(out, i -> ids.get(symbols.substring(i, i + 1)));
        return out;
    }

    /** The tokenizer of a trained vocabulary, which starts with the three special tokens. */
    static ByteLevelTokenizer tokenizer(
            PreTokenizer preTokenizer,
            List<String> vocabulary,
            MergeRules rules,
            boolean wholePieces) {
        int pad = SpecialTokens.PADDING_ID;
        int begin = SpecialTokens.BEGIN_ID;
        int end = SpecialTokens.END_ID;
        return new ByteLevelTokenizer(
                preTokenizer,
                new Symbols(vocabulary, Set.of(pad, begin, end)),
                rules,
                new TokenRoles(begin, end, pad),
                wholePieces);
    }
}
