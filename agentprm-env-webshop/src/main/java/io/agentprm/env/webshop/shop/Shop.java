package io.agentprm.env.webshop.shop;

import io.agentprm.env.webshop.catalog.Catalog;
import io.agentprm.env.webshop.goal.GoalBook;
import io.agentprm.env.webshop.reward.RewardFunction;
import io.agentprm.env.webshop.search.Inventory;
import io.agentprm.env.webshop.search.ShopIndex;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntToDoubleFunction;

/** What all visits share. Thread-safe; remembers the pages of some products. */
public final class Shop {
    /** Number of products whose pages are kept: enough for the usual thousand, little for more. */
    private static final int KEPT = 1024;

    private final Inventory inventory;
    private final IntToDoubleFunction prices;
    private final RewardFunction rewards;
    private final boolean showAttributes;
    private final ProductLinks links;
    private final AtomicReferenceArray<Shelf> shelves = new AtomicReferenceArray<>(KEPT);

    private Shop(
            Inventory inventory,
            IntToDoubleFunction prices,
            RewardFunction rewards,
            boolean showAttributes,
            ProductLinks links) {
        this.inventory = inventory;
        this.prices = prices;
        this.rewards = rewards;
        this.showAttributes = showAttributes;
        this.links = links;
    }

    /**
     * Opens a shop.
     *
     * @param goals give the prices that the reward compares
     * @param showAttributes adds a page that tells a product's attributes, category and query
     */
    public static Shop of(
            Inventory inventory,
            GoalBook goals,
            RewardFunction rewards,
            boolean showAttributes,
            ProductLinks links) {
        return new Shop(inventory, goals::price, rewards, showAttributes, links);
    }

    Catalog catalog() {
        return inventory.catalog();
    }

    ShopIndex index() {
        return inventory.index();
    }

    RewardFunction rewards() {
        return rewards;
    }

    double price(int ordinal) {
        return prices.applyAsDouble(ordinal);
    }

    boolean showAttributes() {
        return showAttributes;
    }

    ProductLinks links() {
        return links;
    }

    /** A product with its page. */
    Shelf shelf(int ordinal) {
        int slot = ordinal % KEPT;
        Shelf kept = shelves.get(slot);
        if (kept == null || kept.ordinal() != ordinal) {
            kept = Shelf.of(ordinal, catalog().product(ordinal), showAttributes);
            shelves.set(slot, kept);
        }
        return kept;
    }
}
