package io.agentprm.env.webshop.search;

import io.agentprm.api.IoReasons;
import io.agentprm.env.webshop.WebshopException;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.Directory;

/**
 * Ranks products by BM25 as the original does through Pyserini and Anserini: English analysis
 * (possessives, lower case, stop words, Porter's stemmer), a bag of words in which a word counts as
 * often as it was typed, k1 = 0.9 and b = 0.4, and ties in the order of the products' ids. The
 * documents have an order of their own; four bytes for each tell its product. Thread-safe.
 */
public final class ShopIndex implements AutoCloseable {
    /** Number of hits that a search gives at most. */
    public static final int HITS = 50;

    /**
     * Number of documents that a search looks through or passes over together: of powers of two
     * from 512 to 4,096 the quickest with a million products.
     */
    private static final int AISLE = 2048;

    private final Directory directory;
    private final DirectoryReader reader;
    private final Optional<Ranking> ranking;
    private final Analyzer analyzer;

    /** Of the product of each document. */
    private final int[] ordinals;

    ShopIndex(Directory directory, Analyzer analyzer) throws IOException {
        this(directory, analyzer, AISLE);
    }

    ShopIndex(Directory directory, Analyzer analyzer, int aisle) throws IOException {
        this.directory = directory;
        this.analyzer = analyzer;
        this.reader = DirectoryReader.open(directory);
        this.ranking = ranking(reader, aisle);
        this.ordinals = ordinals(reader);
    }

    /** Of the only segment, as the index is merged when it is built; none if nothing has words. */
    private static Optional<Ranking> ranking(DirectoryReader reader, int aisle) throws IOException {
        for (LeafReaderContext leaf : reader.leaves()) {
            Terms terms = leaf.reader().terms(IndexedFields.CONTENTS);
            if (terms != null) {
                return Optional.of(new Ranking(new Vocabulary(leaf.reader(), terms, aisle)));
            }
        }
        return Optional.empty();
    }

    private static int[] ordinals(DirectoryReader reader) throws IOException {
        int[] ordinals = new int[reader.maxDoc()];
        for (LeafReaderContext leaf : reader.leaves()) {
            NumericDocValues values = DocValues.getNumeric(leaf.reader(), IndexedFields.ORDINAL);
            for (int doc = values.nextDoc();
                    doc != DocIdSetIterator.NO_MORE_DOCS;
                    doc = values.nextDoc()) {
                ordinals[leaf.docBase + doc] = (int) values.longValue();
            }
        }
        return ordinals;
    }

    /** A product that was found. */
    public record Hit(int ordinal, float score) {}

    static Analyzer newAnalyzer() {
        return new EnglishAnalyzer();
    }

    /** Number of products. */
    public int size() {
        return reader.numDocs();
    }

    /**
     * The words of a text as they are searched, with how often each occurs. Of a very long text the
     * first 1,024 different ones count, which is as much as a query can hold.
     */
    public Map<String, Integer> terms(String text) {
        Map<String, Integer> terms = new LinkedHashMap<>();
        try (TokenStream tokens = analyzer.tokenStream(IndexedFields.CONTENTS, text)) {
            CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
            tokens.reset();
            while (tokens.incrementToken()) {
                String word = term.toString();
                if (terms.size() < IndexSearcher.getMaxClauseCount() || terms.containsKey(word)) {
                    terms.merge(word, 1, Integer::sum);
                }
            }
            tokens.end();
        } catch (IOException e) {
            throw unreadable(e);
        }
        return terms;
    }

    /** The best hits for a text, at most {@link #HITS}; none if nothing of it can be searched. */
    public List<Hit> search(String text) {
        Map<String, Integer> words = terms(text);
        if (words.isEmpty() || ranking.isEmpty()) {
            return List.of();
        }
        try {
            return ranking.get().best(words, HITS).stream()
                    .map(hit -> new Hit(ordinals[hit.document()], hit.score()))
                    .toList();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** All products of a category, in order. */
    public int[] ofCategory(String category) {
        return all(new Term(IndexedFields.CATEGORY, category));
    }

    /** All products that were scraped by a query, in order. */
    public int[] ofQuery(String query) {
        return all(new Term(IndexedFields.QUERY, query));
    }

    private int[] all(Term term) {
        IntStream.Builder found = IntStream.builder();
        try {
            for (LeafReaderContext leaf : reader.leaves()) {
                PostingsEnum docs = leaf.reader().postings(term, PostingsEnum.NONE);
                while (docs != null && docs.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
                    found.add(ordinals[leaf.docBase + docs.docID()]);
                }
            }
        } catch (IOException e) {
            throw unreadable(e);
        }
        return found.build().sorted().toArray();
    }

    /** The ordinal of a product. */
    OptionalInt find(String asin) {
        return Arrays.stream(all(new Term(IndexedFields.ASIN, asin))).findFirst();
    }

    private WebshopException unreadable(IOException e) {
        return new WebshopException(
                "the index in "
                        + directory
                        + " cannot be read: "
                        + IoReasons.of(e)
                        + "; delete it, and it is built anew",
                e);
    }

    @Override
    public void close() {
        try {
            reader.close();
            directory.close();
        } catch (IOException e) {
            throw unreadable(e);
        } finally {
            analyzer.close();
        }
    }
}
