package io.agentprm.env.webshop.search;

import org.apache.lucene.index.TermState;
import org.apache.lucene.search.TermStatistics;

/** A word of the index, with how much it adds to a score at most in each aisle. */
final class Word {
    private final TermStatistics statistics;
    private final TermState entry;
    private final float[] peaks;

    /**
     * A word.
     *
     * @param entry its place in the dictionary
     * @param peaks highest score, for this word alone, of the documents of each aisle; 0 in an
     *     aisle where it does not occur
     */
    Word(TermStatistics statistics, TermState entry, float[] peaks) {
        this.statistics = statistics;
        this.entry = entry;
        this.peaks = peaks;
    }

    TermStatistics statistics() {
        return statistics;
    }

    TermState entry() {
        return entry;
    }

    float peak(int aisle) {
        return peaks[aisle];
    }
}
