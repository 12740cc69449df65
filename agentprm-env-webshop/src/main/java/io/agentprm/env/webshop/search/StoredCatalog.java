package io.agentprm.env.webshop.search;

import io.agentprm.api.IoReasons;
import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.catalog.Catalog;
import io.agentprm.env.webshop.catalog.Product;
import java.io.Closeable;
import java.io.IOException;
import java.util.OptionalInt;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.RandomAccessInput;

/**
 * Products kept on disk, beside their index: one after the other in one file, and where each begins
 * in another. Both are mapped into memory, so that the operating system keeps what is used.
 * Thread-safe.
 */
final class StoredCatalog implements Catalog, Closeable {
    static final String PRODUCTS = "products";
    static final String STARTS = "starts";

    private final Directory directory;
    private final IndexInput products;
    private final IndexInput starts;
    private final RandomAccessInput start;
    private final ShopIndex index;

    /**
     * Opens what a {@link Writer} wrote.
     *
     * @throws IOException if it is not there, or cut off
     */
    StoredCatalog(Directory directory, ShopIndex index) throws IOException {
        this.directory = directory;
        this.index = index;
        products = directory.openInput(PRODUCTS, IOContext.READ);
        starts = directory.openInput(STARTS, IOContext.READ);
        start = starts.randomAccessSlice(0, starts.length() - CodecUtil.footerLength());
        CodecUtil.retrieveChecksum(starts);
        CodecUtil.retrieveChecksum(products);
    }

    @Override
    public int size() {
        return index.size();
    }

    @Override
    public Product product(int ordinal) {
        try {
            long from = start.readLong((long) ordinal * Long.BYTES);
            byte[] bytes = new byte[(int) (start.readLong((ordinal + 1L) * Long.BYTES) - from)];
            IndexInput mine = products.clone();
            mine.seek(from);
            mine.readBytes(bytes, 0, bytes.length);
            return ProductCodec.decode(bytes);
        } catch (IOException e) {
            throw new WebshopException(
                    "the products in "
                            + directory
                            + " cannot be read: "
                            + IoReasons.of(e)
                            + "; delete them, and they are written anew",
                    e);
        }
    }

    @Override
    public OptionalInt find(String asin) {
        return index.find(asin);
    }

    @Override
    public void close() throws IOException {
        try (products;
                starts) {
            // Only to close them.
        }
    }

    /** Writes products in their order. */
    static final class Writer implements Closeable {
        private final IndexOutput products;
        private final IndexOutput starts;

        Writer(Directory directory) throws IOException {
            products = directory.createOutput(PRODUCTS, IOContext.DEFAULT);
            starts = directory.createOutput(STARTS, IOContext.DEFAULT);
        }

        void add(Product product) throws IOException {
            starts.writeLong(products.getFilePointer());
            byte[] bytes = ProductCodec.encode(product);
            products.writeBytes(bytes, bytes.length);
        }

        /** Marks the files as complete. */
        void finish() throws IOException {
            starts.writeLong(products.getFilePointer());
            CodecUtil.writeFooter(products);
            CodecUtil.writeFooter(starts);
        }

        @Override
        public void close() throws IOException {
            try (products;
                    starts) {
                // Only to close them.
            }
        }
    }
}
