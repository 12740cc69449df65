package io.agentprm.env.webshop.shop;

import io.agentprm.env.webshop.catalog.Product;
import io.agentprm.env.webshop.python.PythonText;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What stands on each page, in order. */
final class Pages {
    static final String SEARCH = "Search";
    static final String BACK = "Back to Search";
    static final String PREVIOUS = "< Prev";
    static final String NEXT = "Next >";
    static final String BUY = "Buy Now";

    /** The original writes this where it has no value. */
    private static final String NONE = "None";

    private Pages() {}

    static void index(PageWriter page, String instruction) {
        page.text("WebShop");
        page.instruction("Instruction: ", instruction);
        page.searchField();
        page.button(SEARCH);
    }

    private static void header(PageWriter page, String instruction) {
        page.instruction("Instruction:", instruction);
        page.button(BACK);
    }

    /**
     * Results of a search.
     *
     * @param number of the page, usually from 1
     * @param total number of results
     * @param products those on this page
     */
    static void results(
            PageWriter page,
            String instruction,
            int number,
            int total,
            List<Product> products,
            ProductLinks links) {
        header(page, instruction);
        page.text("Page " + number + " (Total results: " + total + ")");
        if (number > 1) {
            page.button(PREVIOUS);
        }
        page.button(NEXT);
        for (int i = 0; i < products.size(); i++) {
            Product product = products.get(i);
            page.link(product.asin(), links == ProductLinks.ASIN ? product.asin() : "" + (i + 1));
            page.text(product.title());
            page.text(product.priceTag());
        }
    }

    static void item(PageWriter page, String instruction, Product product, boolean attributes) {
        header(page, instruction);
        page.button(PREVIOUS);
        product.options()
                .forEach(
                        (name, values) -> {
                            page.text(name);
                            values.forEach(value -> page.option(name, value));
                        });
        page.text(product.title());
        page.text("Price: " + product.priceTag());
        page.text("Rating: N.A.");
        page.button(SubPage.DESCRIPTION.label());
        page.button(SubPage.FEATURES.label());
        page.button(SubPage.REVIEWS.label());
        if (attributes) {
            page.button(SubPage.ATTRIBUTES.label());
        }
        page.button(BUY);
    }

    static void subPage(PageWriter page, String instruction, Product product, SubPage which) {
        header(page, instruction);
        page.button(PREVIOUS);
        which.texts(product).forEach(page::text);
    }

    static void done(PageWriter page, String asin, Map<String, String> options, double reward) {
        page.text("Thank you for shopping with us!");
        page.text("Your code: ");
        page.text(NONE);
        page.text(" (Paste it in your MTurk interface.)");
        page.text("Purchased");
        page.text("asin");
        page.text(asin);
        page.text("options");
        TreeMap<String, String> sorted = new TreeMap<>(PythonText.BY_CODE_POINT);
        sorted.putAll(options);
        page.text(PythonText.htmlSafeJson(sorted));
        for (String name : List.of("attrs", "category", "query", "product category")) {
            page.text(name);
            page.text(NONE);
        }
        page.text("Target");
        for (String name :
                List.of(
                        "asin",
                        "options",
                        "attrs",
                        "price upper",
                        "instuction text",
                        "category",
                        "product category",
                        "query")) {
            page.text(name);
        }
        page.text("Goal ");
        page.text(NONE);
        page.text("Reward");
        page.text("Your score (min 0.0, max 1.0)");
        page.text(PythonText.repr(reward));
        page.text("Reward Details ");
        page.text(NONE);
    }
}
