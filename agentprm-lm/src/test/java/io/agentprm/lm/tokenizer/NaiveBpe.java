package io.agentprm.lm.tokenizer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Byte-pair encoding as it is defined, counting every pair anew for each merge. */
final class NaiveBpe {
    private NaiveBpe() {}

    private record Pair(int left, int right) {}

    static List<ByteLevelTokenizer.Merge> merges(
            List<String> corpus, int vocabularySize, int minCount) {
        TreeSet<String> alphabet = new TreeSet<>();
        corpus.forEach(w -> w.chars().forEach(c -> alphabet.add(String.valueOf((char) c))));
        List<String> vocabulary = new ArrayList<>(SpecialTokens.standard().inOrder());
        vocabulary.addAll(alphabet);
        List<List<Integer>> words = new ArrayList<>();
        for (String word : corpus) {
            List<Integer> ids = new ArrayList<>();
            word.chars().forEach(c -> ids.add(vocabulary.indexOf(String.valueOf((char) c))));
            words.add(ids);
        }
        List<ByteLevelTokenizer.Merge> merges = new ArrayList<>();
        while (vocabulary.size() < vocabularySize) {
            Map<Pair, Integer> counts = new HashMap<>();
            for (List<Integer> w : words) {
                for (int i = 0; i + 1 < w.size(); i++) {
                    counts.merge(new Pair(w.get(i), w.get(i + 1)), 1, Integer::sum);
                }
            }
            Pair best =
                    counts.keySet().stream()
                            .filter(p -> counts.get(p) >= minCount)
                            .min(
                                    Comparator.comparingInt((Pair p) -> -counts.get(p))
                                            .thenComparingInt(Pair::left)
                                            .thenComparingInt(Pair::right))
                            .orElse(new Pair(-1, -1));
            if (best.left() < 0) {
                break;
            }
            String left = vocabulary.get(best.left());
            String right = vocabulary.get(best.right());
            merges.add(new ByteLevelTokenizer.Merge(left, right));
            if (!vocabulary.contains(left + right)) {
                vocabulary.add(left + right);
            }
            int id = vocabulary.indexOf(left + right);
            for (List<Integer> w : words) {
                for (int i = 0; i + 1 < w.size(); i++) {
                    if (w.get(i) == best.left() && w.get(i + 1) == best.right()) {
                        w.set(i, id);
                        w.remove(i + 1);
                    }
                }
            }
        }
        return merges;
    }
}
