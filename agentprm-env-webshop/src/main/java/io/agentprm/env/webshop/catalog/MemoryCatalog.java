package io.agentprm.env.webshop.catalog;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** All products in memory. */
public final class MemoryCatalog implements Catalog {
    private final List<Product> products;
    private final Map<String, Integer> ordinals = new HashMap<>();

    public MemoryCatalog(List<Product> products) {
        this.products = List.copyOf(products);
        for (int i = 0; i < products.size(); i++) {
            ordinals.put(products.get(i).asin(), i);
        }
    }

    @Override
    public int size() {
        return products.size();
    }

    @Override
    public Product product(int ordinal) {
        return products.get(ordinal);
    }

    @Override
    public OptionalInt find(String asin) {
        Integer ordinal = ordinals.get(asin);
        return ordinal == null ? OptionalInt.empty() : OptionalInt.of(ordinal);
    }
}
