package io.agentprm.env.webshop.search;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.search.similarities.Similarity.SimScorer;
import org.apache.lucene.util.BytesRef;

/**
 * The words of all products, and what BM25 makes of them (k1 = 0.9 and b = 0.4, as in Anserini).
 * Documents stand in aisles: stretches of so many, which are like goods as the index is sorted. How
 * much a word adds to a score at most in each aisle is found out when the word is first searched,
 * and kept unless the word is rare. Thread-safe.
 */
final class Vocabulary {
    private static final Similarity BM25 = new BM25Similarity(0.9f, 0.4f);

    /**
     * A word in fewer than one of so many products is looked through again each time, which is
     * quick. So the kept ones are few, in however large a catalogue: at most so many times the
     * different words of a product.
     */
    private static final int RARE = 256;

    private final LeafReader documents;
    private final Terms terms;
    private final CollectionStatistics collection;

    /** Of the text of each document, as the index encodes it in a byte. */
    private final byte[] lengths;

    private final int aisle;
    private final Map<String, Word> kept = new ConcurrentHashMap<>();

    /**
     * Of an index.
     *
     * @param documents the only segment
     * @param terms of the field that is searched
     * @param aisle number of documents in an aisle
     */
    Vocabulary(LeafReader documents, Terms terms, int aisle) throws IOException {
        this.documents = documents;
        this.terms = terms;
        this.aisle = aisle;
        this.collection =
                new CollectionStatistics(
                        IndexedFields.CONTENTS,
                        documents.maxDoc(),
                        terms.getDocCount(),
                        terms.getSumTotalTermFreq(),
                        terms.getSumDocFreq());
        this.lengths = new byte[documents.maxDoc()];
        NumericDocValues norms = documents.getNormValues(IndexedFields.CONTENTS);
        while (norms.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
            lengths[norms.docID()] = (byte) norms.longValue();
        }
    }

    /** Number of documents. */
    int size() {
        return lengths.length;
    }

    /** Number of documents in an aisle; the last one may have fewer. */
    int aisle() {
        return aisle;
    }

    /** Number of aisles. */
    int aisles() {
        return (size() + aisle - 1) / aisle;
    }

    /** The length of a document as {@link SimScorer} takes it. */
    byte length(int document) {
        return lengths[document];
    }

    /** The places of documents in the order of their ids, from the first document on. */
    SortedDocValues ids() throws IOException {
        return DocValues.getSorted(documents, IndexedFields.ASIN);
    }

    /** A word; empty if no product has it. */
    Optional<Word> word(String text) throws IOException {
        Word known = kept.get(text);
        if (known != null) {
            return Optional.of(known);
        }
        TermsEnum entry = terms.iterator();
        BytesRef bytes = new BytesRef(text);
        if (!entry.seekExact(bytes)) {
            return Optional.empty();
        }
        TermStatistics statistics =
                new TermStatistics(bytes, entry.docFreq(), entry.totalTermFreq());
        Word word = new Word(statistics, entry.termState(), peaks(entry, scorer(statistics, 1)));
        if (statistics.docFreq() >= size() / RARE) {
            kept.put(text, word);
        }
        return Optional.of(word);
    }

    private float[] peaks(TermsEnum entry, SimScorer scorer) throws IOException {
        float[] peaks = new float[aisles()];
        PostingsEnum found = postings(entry);
        while (found.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
            int document = found.docID();
            int at = document / aisle;
            peaks[at] = Math.max(peaks[at], scorer.score(found.freq(), lengths[document]));
        }
        return peaks;
    }

    /** Scores documents for a word that was typed so often. */
    SimScorer scorer(TermStatistics word, int count) {
        return BM25.scorer(count, collection, word);
    }

    /** Where a word occurs and how often, from the first document on. */
    PostingsEnum postings(Word word) throws IOException {
        TermsEnum entry = terms.iterator();
        entry.seekExact(word.statistics().term(), word.entry());
        return postings(entry);
    }

    private static PostingsEnum postings(TermsEnum entry) throws IOException {
        return entry.postings(null, PostingsEnum.FREQS);
    }
}
