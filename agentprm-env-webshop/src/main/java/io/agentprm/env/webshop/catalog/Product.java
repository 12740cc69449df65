package io.agentprm.env.webshop.catalog;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A product as the original's loader leaves it. Texts are as in the file unless said otherwise.
 *
 * @param asin its id, at most ten characters
 * @param title may be empty
 * @param description may be empty
 * @param bullets the features, one or more; each may be empty
 * @param pricing one price in dollars, or two between which the real one is drawn; the first may be
 *     the larger one
 * @param priceTag what the pages show: {@code $19.99} or {@code $19.99 to $27.99}
 * @param options values by the name of their group, in the file's order; all in lower case, with
 *     {@code /} written as {@code " | "}
 * @param attributes such as {@code long sleeve}
 * @param category one of five
 * @param query the search by which it was scraped, in lower case and trimmed
 * @param productCategory path such as {@code Beauty › Hair Care › Shampoo}
 * @param request the instruction that was made for it, from which synthetic goals come
 * @param instructions those that people wrote for it
 */
public record Product(
        String asin,
        String title,
        String description,
        List<String> bullets,
        List<Double> pricing,
        String priceTag,
        Map<String, List<String>> options,
        List<String> attributes,
        String category,
        String query,
        String productCategory,
        Optional<SyntheticRequest> request,
        List<HumanInstruction> instructions) {
    public Product {
        bullets = List.copyOf(bullets);
        pricing = List.copyOf(pricing);
        options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
        attributes = List.copyOf(attributes);
        instructions = List.copyOf(instructions);
    }

    /** Number of ways to choose a value in every group; 1 if there are none. */
    public int combinations() {
        long product = 1;
        for (List<String> values : options.values()) {
            product = Math.min(product * values.size(), Integer.MAX_VALUE);
        }
        return (int) product;
    }
}
