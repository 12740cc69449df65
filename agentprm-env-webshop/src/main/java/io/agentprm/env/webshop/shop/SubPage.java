package io.agentprm.env.webshop.shop;

import io.agentprm.env.webshop.catalog.Product;
import io.agentprm.env.webshop.python.PythonText;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Pages below that of a product. */
enum SubPage {
    DESCRIPTION("Description"),
    FEATURES("Features"),
    REVIEWS("Reviews"),
    ATTRIBUTES("Attributes");

    private final String label;

    SubPage(String label) {
        this.label = label;
    }

    /** Text of its button. */
    String label() {
        return label;
    }

    /** What it says of a product. */
    List<String> texts(Product product) {
        return switch (this) {
            case DESCRIPTION -> List.of(product.description());
            case FEATURES -> product.bullets().stream().map(bullet -> " " + bullet).toList();
            // The original has code for reviews and none of them.
            case REVIEWS -> List.of();
            case ATTRIBUTES ->
                    Stream.concat(
                                    product.attributes().stream().map(attribute -> " " + attribute),
                                    Stream.of(
                                            product.category(),
                                            product.query(),
                                            product.productCategory()))
                            .toList();
        };
    }

    static Optional<SubPage> of(String clicked) {
        for (SubPage page : values()) {
            if (PythonText.lower(page.label).equals(clicked)) {
                return Optional.of(page);
            }
        }
        return Optional.empty();
    }
}
