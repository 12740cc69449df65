package io.agentprm.env.webshop.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.env.webshop.catalog.Product;
import io.agentprm.env.webshop.generator.CatalogGenerator;
import io.agentprm.env.webshop.generator.GeneratedProducts;
import io.agentprm.env.webshop.generator.GeneratorOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is passed over would not have been found: hits are those of a search that scores all. */
class RankingTest {
    private static final int SEARCHES = 400;

    @ParameterizedTest(name = "{0} products in aisles of {1}")
    @CsvSource({"4000, 1", "4000, 13", "4000, 64", "4000, 2048", "300, 4", "1, 2048"})
    void hitsAndScoresAreThoseOfASearchThatScoresEveryDocument(int products, int aisle)
            throws IOException {
        try (Catalogue catalogue = new Catalogue(products);
                ShopIndex index = new ShopIndex(catalogue.directory, analyzer(), aisle)) {
            SplittableRandom random = new SplittableRandom(products + aisle);
            for (int i = 0; i < SEARCHES; i++) {
                String text = catalogue.text(random);
                assertEquals(catalogue.all(index.terms(text)), index.search(text), text);
            }
        }
    }

    @Test
    void equalScoresComeInTheOrderOfIdsWhereverTheDocumentsStand() throws IOException {
        try (Catalogue catalogue = new Catalogue(4000);
                ShopIndex index = new ShopIndex(catalogue.directory, analyzer(), 16)) {
            for (String word : List.of("price", "size", "quality", "color", "easy")) {
                List<ShopIndex.Hit> hits = index.search(word);
                assertEquals(ShopIndex.HITS, hits.size(), word);
                int ties = 0;
                for (int i = 1; i < hits.size(); i++) {
                    if (hits.get(i).score() == hits.get(i - 1).score()) {
                        ties++;
                        assertTrue(
                                catalogue
                                                .asin(hits.get(i - 1))
                                                .compareTo(catalogue.asin(hits.get(i)))
                                        < 0,
                                word);
                    }
                }
                assertTrue(ties > 0, "no ties to test with: " + word);
            }
        }
    }

    @Test
    void nothingIsFoundWhereNothingHasTheWord() throws IOException {
        try (Catalogue catalogue = new Catalogue(300);
                ShopIndex index = new ShopIndex(catalogue.directory, analyzer(), 4)) {
            assertEquals(List.of(), index.search("zyzzyva qwxz"));
        }
    }

    private static Analyzer analyzer() {
        return ShopIndex.newAnalyzer();
    }

    /** Generated products, and a plain search through them. */
    private static final class Catalogue implements AutoCloseable {
        private static final Sort BEST_FIRST =
                new Sort(
                        SortField.FIELD_SCORE,
                        new SortField(IndexedFields.ASIN, SortField.Type.STRING));

        private final List<Product> products = new ArrayList<>();
        private final Map<String, Integer> ordinals = new HashMap<>();
        private final Directory directory = new ByteBuffersDirectory();
        private final DirectoryReader reader;
        private final IndexSearcher searcher;

        Catalogue(int size) throws IOException {
            InventoryBuilder.index(
                    new GeneratedProducts(new CatalogGenerator(new GeneratorOptions(5, size))),
                    directory,
                    analyzer(),
                    product -> {
                        ordinals.put(product.asin(), products.size());
                        products.add(product);
                    });
            reader = DirectoryReader.open(directory);
            searcher = new IndexSearcher(reader);
            searcher.setSimilarity(new BM25Similarity(0.9f, 0.4f));
        }

        String asin(ShopIndex.Hit hit) {
            return products.get(hit.ordinal()).asin();
        }

        /** A stretch of what is said of a product, now and then words twice or many times. */
        String text(SplittableRandom random) {
            Product product = products.get(random.nextInt(products.size()));
            List<String> words = List.of(IndexedFields.contents(product).split(" "));
            int from = random.nextInt(words.size());
            int to = Math.min(words.size(), from + 1 + random.nextInt(30));
            List<String> text = new ArrayList<>(words.subList(from, to));
            for (int again = random.nextInt(4); again > 0; again--) {
                String word = text.get(random.nextInt(text.size()));
                text.addAll(List.of(word, word).subList(0, 1 + random.nextInt(2)));
            }
            return String.join(" ", text);
        }

        /** The hits of a search that scores every document. */
        List<ShopIndex.Hit> all(Map<String, Integer> words) throws IOException {
            BooleanQuery.Builder query = new BooleanQuery.Builder();
            words.forEach(
                    (word, count) ->
                            query.add(
                                    new BoostQuery(
                                            new TermQuery(new Term(IndexedFields.CONTENTS, word)),
                                            count),
                                    BooleanClause.Occur.SHOULD));
            List<ShopIndex.Hit> hits = new ArrayList<>();
            for (ScoreDoc hit :
                    searcher.search(
                                    query.build(),
                                    new TopFieldCollectorManager(
                                            BEST_FIRST,
                                            ShopIndex.HITS,
                                            null,
                                            Integer.MAX_VALUE,
                                            false))
                            .scoreDocs) {
                Object[] fields = ((FieldDoc) hit).fields;
                String asin = ((BytesRef) fields[1]).utf8ToString();
                hits.add(new ShopIndex.Hit(ordinals.get(asin), (Float) fields[0]));
            }
            return hits;
        }

        @Override
        public void close() throws IOException {
            reader.close();
        }
    }
}
