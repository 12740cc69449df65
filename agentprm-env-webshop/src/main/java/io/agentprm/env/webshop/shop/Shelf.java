package io.agentprm.env.webshop.shop;

import io.agentprm.env.webshop.catalog.Product;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A product with all of its page that is the same in every visit.
 *
 * @param ordinal of the product
 * @param clickables of its page
 * @param groups by value, the option that a click on it sets: the last one that has it
 * @param text of its page without the instruction, from the first separator after it on
 */
record Shelf(
        int ordinal,
        Product product,
        Clickables clickables,
        Map<String, String> groups,
        String text) {
    static Shelf of(int ordinal, Product product, boolean attributes) {
        ClickWriter clicks = new ClickWriter();
        Pages.item(clicks, "", product, attributes);
        Map<String, String> groups = new HashMap<>();
        for (Map.Entry<String, List<String>> group : product.options().entrySet()) {
            group.getValue().forEach(value -> groups.put(value, group.getKey()));
        }
        PlainWriter text = new PlainWriter();
        Pages.item(text, "", product, attributes);
        String page = text.toString();
        return new Shelf(
                ordinal,
                product,
                clicks.clickables(),
                groups,
                page.substring(page.indexOf(PlainWriter.SEPARATOR)));
    }
}
