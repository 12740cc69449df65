package io.agentprm.env.webshop.shop;

import io.agentprm.env.webshop.catalog.Product;
import io.agentprm.env.webshop.goal.Goal;
import io.agentprm.env.webshop.reward.Reward;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a page shows, for those who draw it themselves. */
public sealed interface ShopPage {
    /** The start page with its search bar. */
    record Start() implements ShopPage {}

    /**
     * Results of a search.
     *
     * @param number of the page, usually from 1
     * @param total number of results on all pages
     * @param products on this page
     */
    record Results(int number, int total, List<Product> products) implements ShopPage {
        public Results {
            products = List.copyOf(products);
        }
    }

    /**
     * The page of a product.
     *
     * @param chosen values by the name of their option
     */
    record Item(Product product, Map<String, String> chosen) implements ShopPage {
        public Item {
            chosen = inOrder(chosen);
        }
    }

    /**
     * A page below that of a product.
     *
     * @param title such as {@code Description}
     * @param texts on it, possibly none
     */
    record Below(Product product, String title, List<String> texts) implements ShopPage {
        public Below {
            texts = List.copyOf(texts);
        }
    }

    /**
     * After a purchase.
     *
     * @param bought the product
     * @param chosen values by the name of their option
     * @param goal what was to be bought
     * @param reward what the purchase is worth, with its parts
     */
    record Done(Product bought, Map<String, String> chosen, Goal goal, Reward reward)
            implements ShopPage {
        public Done {
            chosen = inOrder(chosen);
        }
    }

    private static Map<String, String> inOrder(Map<String, String> chosen) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(chosen));
    }
}
