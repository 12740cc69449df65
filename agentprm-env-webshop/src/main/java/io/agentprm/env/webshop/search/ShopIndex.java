package io.agentprm.env.webshop.search;

import io.agentprm.api.IoReasons;
import io.agentprm.env.webshop.WebshopException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.similarities.BM25Similarity;
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

    private static final Sort BEST_FIRST =
            new Sort(
                    SortField.FIELD_SCORE,
                    new SortField(IndexedFields.ASIN, SortField.Type.STRING));

    private final Directory directory;
    private final DirectoryReader reader;
    private final IndexSearcher searcher;
    private final Analyzer analyzer;

    /** Of the product of each document. */
    private final int[] ordinals;

    ShopIndex(Directory directory, Analyzer analyzer) throws IOException {
        this.directory = directory;
        this.analyzer = analyzer;
        this.reader = DirectoryReader.open(directory);
        this.searcher = new IndexSearcher(reader);
        searcher.setSimilarity(new BM25Similarity(0.9f, 0.4f));
        searcher.setQueryCache(null);
        this.ordinals = ordinals(reader);
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
        Map<String, Integer> terms = terms(text);
        if (terms.isEmpty()) {
            return List.of();
        }
        BooleanQuery.Builder query = new BooleanQuery.Builder();
        terms.forEach((word, count) -> query.add(clause(word, count), BooleanClause.Occur.SHOULD));
        try {
            List<Hit> hits = new ArrayList<>();
            for (ScoreDoc hit : searcher.search(query.build(), best()).scoreDocs) {
                hits.add(new Hit(ordinals[hit.doc], (Float) ((FieldDoc) hit).fields[0]));
            }
            return List.copyOf(hits);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** How many match besides is not counted, so that most of them need not be looked at. */
    private static TopFieldCollectorManager best() {
        return new TopFieldCollectorManager(BEST_FIRST, HITS, null, HITS, false);
    }

    private static Query clause(String word, int count) {
        Query term = new TermQuery(new Term(IndexedFields.CONTENTS, word));
        return count == 1 ? term : new BoostQuery(term, count);
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
