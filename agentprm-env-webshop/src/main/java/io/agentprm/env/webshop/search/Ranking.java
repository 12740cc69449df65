package io.agentprm.env.webshop.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.SortedDocValues;

/**
 * Finds the best documents by BM25 without looking at most of them. A search first goes through the
 * few aisles that promise most by what its words add at most in each, and then through those others
 * that promise more than the hits so far: the order by range of Mackenzie, Petri and Moffat
 * ("Anytime Ranking on Document-Ordered Indexes", ACM Transactions on Information Systems 40(1),
 * 2021), to the end, so that the result is the same as if every document had been scored.
 * Thread-safe.
 */
final class Ranking {
    /** Aisles that are looked through first. */
    private static final int FIRST = 16;

    private final Vocabulary vocabulary;

    Ranking(Vocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    /**
     * The best documents for words, best first, ties in the order of their ids.
     *
     * @param words with how often each was typed
     * @param most number of documents at most
     */
    List<TopHits.Scored> best(Map<String, Integer> words, int most) throws IOException {
        SoughtWord[] sought = sought(words);
        TopHits hits = new TopHits(most);
        float[] promises = promises(sought);
        float[] sorted = promises.clone();
        Arrays.sort(sorted);
        float high = sorted[Math.max(0, sorted.length - FIRST)];
        AisleScorer scorer = new AisleScorer(sought, vocabulary.aisle(), hits);
        pass(scorer, hits, promises, high, Float.POSITIVE_INFINITY);
        if (sorted[0] < high) {
            for (SoughtWord word : sought) {
                word.rewind();
            }
            pass(scorer, hits, promises, 0, high);
        }
        return hits.bestFirst();
    }

    private SoughtWord[] sought(Map<String, Integer> words) throws IOException {
        List<SoughtWord> sought = new ArrayList<>();
        for (Map.Entry<String, Integer> typed : words.entrySet()) {
            Optional<Word> word = vocabulary.word(typed.getKey());
            if (word.isPresent()) {
                sought.add(new SoughtWord(vocabulary, word.get(), typed.getValue()));
            }
        }
        return sought.toArray(new SoughtWord[0]);
    }

    /** What no score in an aisle is above, for each aisle. */
    private float[] promises(SoughtWord[] words) {
        double[] sums = new double[vocabulary.aisles()];
        for (SoughtWord word : words) {
            for (int aisle = 0; aisle < sums.length; aisle++) {
                sums[aisle] += word.peak(aisle);
            }
        }
        float[] promises = new float[sums.length];
        for (int aisle = 0; aisle < sums.length; aisle++) {
            promises[aisle] = AisleScorer.atMost(sums[aisle]);
        }
        return promises;
    }

    /** Goes through the aisles whose promise is in a range, in their order. */
    private void pass(AisleScorer scorer, TopHits hits, float[] promises, float from, float below)
            throws IOException {
        SortedDocValues ids = vocabulary.ids();
        for (int aisle = 0; aisle < promises.length; aisle++) {
            float promise = promises[aisle];
            if (promise >= from && promise < below && promise >= hits.bar()) {
                int start = aisle * vocabulary.aisle();
                int end = Math.min(vocabulary.size(), start + vocabulary.aisle());
                scorer.score(aisle, start, end, ids);
            }
        }
    }
}
