package io.agentprm.lm.tokenizer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * The words of a corpus as token sequences, with the counts of neighbouring pairs. The queue may
 * hold outdated counts; they are corrected when they come up.
 */
final class PairTable {
    private static final Pair NONE = new Pair(0, 0, 0);

    /** A pair of neighbouring tokens and how often it occurs. */
    record Pair(int left, int right, long count) {}

    private static final class Occurrences {
        private long count;
        private final Set<Integer> words = new HashSet<>();
    }

    private final List<int[]> words = new ArrayList<>();
    private final List<Long> wordCounts = new ArrayList<>();
    private final Map<Long, Occurrences> pairs = new HashMap<>();
    private final PriorityQueue<Pair> queue =
            new PriorityQueue<>(
                    Comparator.comparingLong(Pair::count)
                            .reversed()
                            .thenComparingInt(Pair::left)
                            .thenComparingInt(Pair::right));

    void add(int[] word, long count) {
        words.add(word);
        wordCounts.add(count);
        Set<Long> changed = new HashSet<>();
        countPairs(words.size() - 1, 1, changed);
        enqueue(changed);
    }

    /** The pair that comes first; count 0 if there is none. */
    Pair mostFrequent() {
        while (!queue.isEmpty()) {
            Pair pair = queue.poll();
            Occurrences now = pairs.get(ByteLevelTokenizer.pair(pair.left(), pair.right()));
            long count = now == null ? 0 : now.count;
            if (count == pair.count()) {
                return pair;
            }
            if (count > 0 && count < pair.count()) {
                queue.add(new Pair(pair.left(), pair.right(), count));
            }
        }
        return NONE;
    }

    /** Replaces the pair by the token everywhere. */
    void merge(Pair pair, int token) {
        long key = ByteLevelTokenizer.pair(pair.left(), pair.right());
        Set<Long> changed = new HashSet<>();
        for (int word : List.copyOf(pairs.get(key).words)) {
            countPairs(word, -1, changed);
            words.set(word, replace(words.get(word), pair, token));
            countPairs(word, 1, changed);
        }
        pairs.remove(key);
        changed.remove(key);
        enqueue(changed);
    }

    private void countPairs(int word, int sign, Set<Long> changed) {
        int[] tokens = words.get(word);
        for (int i = 0; i + 1 < tokens.length; i++) {
            long key = ByteLevelTokenizer.pair(tokens[i], tokens[i + 1]);
            Occurrences o = pairs.computeIfAbsent(key, k -> new Occurrences());
            o.count += sign * wordCounts.get(word);
            if (sign > 0) {
                o.words.add(word);
            } else {
                o.words.remove(word);
            }
            changed.add(key);
        }
    }

    private void enqueue(Set<Long> keys) {
        for (long key : keys) {
            Occurrences o = pairs.get(key);
            if (o != null && o.count > 0) {
                queue.add(new Pair((int) (key >>> 32), (int) key, o.count));
            } else {
                pairs.remove(key);
            }
        }
    }

    private static int[] replace(int[] tokens, Pair pair, int token) {
        int[] out = new int[tokens.length];
        int n = 0;
        for (int i = 0; i < tokens.length; i++) {
            if (i + 1 < tokens.length
                    && tokens[i] == pair.left()
                    && tokens[i + 1] == pair.right()) {
                out[n++] = token;
                i++;
            } else {
                out[n++] = tokens[i];
            }
        }
        return Arrays.copyOf(out, n);
    }
}
