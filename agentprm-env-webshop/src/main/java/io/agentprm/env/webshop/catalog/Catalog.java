package io.agentprm.env.webshop.catalog;

import java.util.OptionalInt;

/** Products in the order of their file. Immutable and thread-safe. */
public interface Catalog {
    int size();

    /**
     * A product.
     *
     * @param ordinal from 0 to {@code size() - 1}
     */
    Product product(int ordinal);

    /** The ordinal of a product. */
    OptionalInt find(String asin);
}
