package io.agentprm.env.webshop.search;

import java.io.IOException;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.search.similarities.Similarity.SimScorer;

/** A word of a search on its way through the documents. */
final class SoughtWord {
    private final Vocabulary vocabulary;
    private final Word word;
    private final SimScorer scorer;
    private final float factor;
    private PostingsEnum postings;
    private int document = -1;
    private float peak;

    /**
     * A word at its first document.
     *
     * @param count how often it was typed
     */
    SoughtWord(Vocabulary vocabulary, Word word, int count) throws IOException {
        this.vocabulary = vocabulary;
        this.word = word;
        this.scorer = vocabulary.scorer(word.statistics(), count);
        this.factor = factor(count);
        this.postings = vocabulary.postings(word);
    }

    /**
     * How many times as high as for a word that was typed once no score is above. A weight times a
     * power of two gives scores that are exactly as many times as high; with another count they are
     * rounded otherwise, for which a sixteenth more is plenty.
     */
    private static float factor(int count) {
        return Integer.bitCount(count) == 1 ? count : count * 1.0625f;
    }

    /** Goes back to the first document. */
    void rewind() throws IOException {
        postings = vocabulary.postings(word);
        document = -1;
    }

    /** What no score for this word in an aisle is above. */
    float peak(int aisle) {
        return factor * word.peak(aisle);
    }

    /** Says in which aisle it is sought next. */
    void enter(int aisle) {
        peak = peak(aisle);
    }

    /** What no score for this word in the present aisle is above. */
    float peak() {
        return peak;
    }

    /** That, for each document that has the word anywhere. */
    double peakPerDocument() {
        return (double) peak / word.statistics().docFreq();
    }

    /** Goes to a document or, where that does not have the word, to the next one that has. */
    int advance(int target) throws IOException {
        if (document < target) {
            document = postings.advance(target);
        }
        return document;
    }

    /** Goes to the next document that has the word. */
    int next() throws IOException {
        document = postings.nextDoc();
        return document;
    }

    /** Score of the present document for this word. */
    float score() throws IOException {
        return scorer.score(postings.freq(), vocabulary.length(document));
    }
}
