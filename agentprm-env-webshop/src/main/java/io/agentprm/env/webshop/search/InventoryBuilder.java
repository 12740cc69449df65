package io.agentprm.env.webshop.search;

import io.agentprm.api.IoReasons;
import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.catalog.MemoryCatalog;
import io.agentprm.env.webshop.catalog.Product;
import io.agentprm.env.webshop.catalog.ProductSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/** Reads products and indexes them. */
final class InventoryBuilder {
    private static final int BUFFER_MEGABYTES = 128;

    private InventoryBuilder() {}

    static Inventory inMemory(ProductSource source) {
        Directory directory = new ByteBuffersDirectory();
        Analyzer analyzer = ShopIndex.newAnalyzer();
        List<Product> products = new ArrayList<>();
        GoalFacts facts = new GoalFacts();
        try {
            String hash =
                    index(
                            source,
                            directory,
                            analyzer,
                            product -> {
                                products.add(product);
                                facts.add(product);
                            });
            ShopIndex index = new ShopIndex(directory, analyzer);
            return new Inventory(new MemoryCatalog(products), index, facts, hash, index::close);
        } catch (IOException e) {
            throw new WebshopException("cannot index the products: " + IoReasons.of(e), e);
        }
    }

    /** Gets the products that are indexed. */
    interface Sink {
        void add(Product product) throws IOException;
    }

    /**
     * Indexes all products.
     *
     * @return hash of the source's content
     */
    static String index(ProductSource source, Directory directory, Analyzer analyzer, Sink alsoTo)
            throws IOException {
        IndexWriterConfig config =
                new IndexWriterConfig(analyzer)
                        .setOpenMode(IndexWriterConfig.OpenMode.CREATE)
                        .setIndexSort(IndexedFields.ORDER)
                        .setRAMBufferSizeMB(BUFFER_MEGABYTES);
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            int[] size = new int[1];
            String hash =
                    source.forEach(
                            product -> {
                                try {
                                    writer.addDocument(IndexedFields.of(size[0]++, product));
                                    alsoTo.add(product);
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            });
            writer.forceMerge(1);
            return hash;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
