package io.agentprm.env.webshop.suite;

import io.agentprm.env.webshop.catalog.ProductSource;
import io.agentprm.env.webshop.search.Inventory;
import java.nio.file.Path;
import java.util.Optional;

/** Where products and their index are kept. Every answer of the shop is the same. */
public enum Storage {
    /** In memory up to 50,000 products, on disk above and where the number is not given. */
    AUTO,
    /** In memory: some kilobytes a product. */
    MEMORY,
    /** On disk: some tens of bytes of memory a product. */
    DISK;

    /**
     * Reads products, or finds them again.
     *
     * @param cache folder for those on disk; empty for a temporary one
     * @throws io.agentprm.env.webshop.WebshopException if something cannot be read or written
     */
    public Inventory open(ProductSource source, Optional<Path> cache) {
        boolean onDisk =
                switch (this) {
                    case MEMORY -> false;
                    case DISK -> true;
                    case AUTO -> source.isLarge();
                };
        return onDisk ? Inventory.onDisk(source, cache) : Inventory.inMemory(source);
    }
}
