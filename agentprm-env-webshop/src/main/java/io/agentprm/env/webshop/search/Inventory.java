package io.agentprm.env.webshop.search;

import io.agentprm.api.IoReasons;
import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.catalog.Catalog;
import io.agentprm.env.webshop.catalog.ProductSource;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** All that a shop sells: products, their index, and what goals need. Immutable and thread-safe. */
public final class Inventory implements AutoCloseable {
    private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

    private final Catalog catalog;
    private final ShopIndex index;
    private final GoalFacts facts;
    private final String contentHash;
    private final Closeable resources;

    Inventory(
            Catalog catalog,
            ShopIndex index,
            GoalFacts facts,
            String contentHash,
            Closeable resources) {
        this.catalog = catalog;
        this.index = index;
        this.facts = facts;
        this.contentHash = contentHash;
        this.resources = resources;
    }

    /**
     * Reads everything into memory: for up to some ten thousand products.
     *
     * @throws io.agentprm.env.webshop.WebshopException if something cannot be read
     */
    public static Inventory inMemory(ProductSource source) {
        return InventoryBuilder.inMemory(source);
    }

    /**
     * Keeps products and index on disk; a few numbers of each product stay in memory.
     *
     * @param folder where they are kept and found again if the source has not changed since; empty
     *     for a temporary folder that is deleted at the end
     * @throws io.agentprm.env.webshop.WebshopException if something cannot be read or written
     */
    public static Inventory onDisk(ProductSource source, Optional<Path> folder) {
        return folder.map(kept -> InventoryFolder.kept(source, kept))
                .orElseGet(() -> InventoryFolder.temporary(source, TEMPORARY));
    }

    public Catalog catalog() {
        return catalog;
    }

    public ShopIndex index() {
        return index;
    }

    public GoalFacts facts() {
        return facts;
    }

    /** Hash of the files, or of the settings of a generator. */
    public String contentHash() {
        return contentHash;
    }

    @Override
    public void close() {
        try {
            resources.close();
        } catch (IOException e) {
            throw new WebshopException(
                    "the products on disk cannot be closed: " + IoReasons.of(e), e);
        }
    }
}
