package io.agentprm.env.webshop.search;

import io.agentprm.env.webshop.catalog.Catalog;
import io.agentprm.env.webshop.catalog.Product;
import java.util.OptionalInt;

/** Products kept on disk, beside their index. */
final class StoredCatalog implements Catalog {
    private final ShopIndex index;

    StoredCatalog(ShopIndex index) {
        this.index = index;
    }

    @Override
    public int size() {
        return index.size();
    }

    @Override
    public Product product(int ordinal) {
        return index.stored(ordinal);
    }

    @Override
    public OptionalInt find(String asin) {
        return index.find(asin);
    }
}
