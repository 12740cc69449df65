package io.agentprm.env.webshop.search;

import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.util.FixedBitSet;

/**
 * Scores the documents of an aisle by MaxScore (Turtle and Flood, "Query evaluation: strategies and
 * optimizations", Information Processing &amp; Management 31(6), 1995): words that cannot lift a
 * document over the bar even together are looked up only in documents that have one of the others,
 * and only as long as what is left can do it.
 */
final class AisleScorer {
    private static final Comparator<SoughtWord> LEAST_FIRST =
            Comparator.comparingDouble(SoughtWord::peakPerDocument);

    private final SoughtWord[] words;
    private final TopHits hits;
    private final double[] sums;
    private final FixedBitSet found;

    /** Sum of the peaks of the first words of the present aisle. */
    private final double[] left;

    AisleScorer(SoughtWord[] words, int aisle, TopHits hits) {
        this.words = words.clone();
        this.hits = hits;
        this.sums = new double[aisle];
        this.found = new FixedBitSet(aisle);
        this.left = new double[words.length + 1];
    }

    /**
     * The highest score of which a sum is. Lucene adds in double precision as well, in an order
     * that depends on the search, and rounds once; a step up is more than that order can matter.
     */
    static float atMost(double sum) {
        return Math.nextUp((float) sum);
    }

    /**
     * Scores an aisle, from its first document up to before the last.
     *
     * @param ids gives the places of documents, from its present one on
     */
    void score(int aisle, int from, int to, SortedDocValues ids) throws IOException {
        for (SoughtWord word : words) {
            word.enter(aisle);
        }
        Arrays.sort(words, LEAST_FIRST);
        int weak = weak();
        for (int i = weak; i < words.length; i++) {
            collect(words[i], from, to);
        }
        for (int at = next(0); at < to - from; at = next(at + 1)) {
            complete(from + at, sums[at], weak, ids);
            sums[at] = 0;
        }
        found.clear();
    }

    private int next(int at) {
        return at < sums.length ? found.nextSetBit(at) : Integer.MAX_VALUE;
    }

    /** How many words, from the first on, do not reach the bar together. */
    private int weak() {
        int weak = 0;
        while (weak < words.length) {
            double sum = left[weak] + words[weak].peak();
            if (atMost(sum) >= hits.bar()) {
                break;
            }
            left[++weak] = sum;
        }
        return weak;
    }

    private void collect(SoughtWord word, int from, int to) throws IOException {
        for (int document = word.advance(from); document < to; document = word.next()) {
            sums[document - from] += word.score();
            found.set(document - from);
        }
    }

    private void complete(int document, double collected, int weak, SortedDocValues ids)
            throws IOException {
        float bar = hits.bar();
        double sum = collected;
        for (int i = weak - 1; i >= 0; i--) {
            if (atMost(sum + left[i + 1]) < bar) {
                return;
            }
            if (words[i].advance(document) == document) {
                sum += words[i].score();
            }
        }
        hits.offer(document, (float) sum, ids);
    }
}
