package io.agentprm.env.webshop.generator;

import io.agentprm.env.webshop.catalog.Digests;
import io.agentprm.env.webshop.catalog.Product;
import io.agentprm.env.webshop.catalog.ProductNotes;
import io.agentprm.env.webshop.catalog.ProductReader;
import io.agentprm.env.webshop.catalog.ProductSource;
import java.util.function.Consumer;

/** The products of a generator, read as if they came from files. */
public final class GeneratedProducts implements ProductSource {
    private static final int MANY = 50_000;

    private final CatalogGenerator generator;

    public GeneratedProducts(CatalogGenerator generator) {
        this.generator = generator;
    }

    @Override
    public String forEach(Consumer<Product> sink) {
        for (int i = 0; i < generator.options().products(); i++) {
            sink.accept(product(generator.item(i)));
        }
        return Digests.sha256(fingerprint());
    }

    private static Product product(GeneratedItem item) {
        ProductNotes notes = new ProductNotes();
        notes.addAttributes(item.asin(), item.attributes());
        notes.addInstructions(item.asin(), item.instructions());
        return new ProductReader(notes).read(item.product()).orElseThrow();
    }

    @Override
    public boolean isLarge() {
        return generator.options().products() > MANY;
    }

    /** The options and the first product, which changes if the generator does. */
    @Override
    public String fingerprint() {
        return generator.options() + "\n" + generator.item(0);
    }

    @Override
    public String identity() {
        return fingerprint();
    }
}
