package io.agentprm.env.webshop.check;

import io.agentprm.env.webshop.catalog.CatalogFiles;
import io.agentprm.env.webshop.goal.GoalBook;
import io.agentprm.env.webshop.goal.GoalKind;
import io.agentprm.env.webshop.goal.GoalRules;
import io.agentprm.env.webshop.reward.NounExtractor;
import io.agentprm.env.webshop.reward.RewardFunction;
import io.agentprm.env.webshop.reward.Similarity;
import io.agentprm.env.webshop.search.Inventory;
import io.agentprm.env.webshop.shop.ProductLinks;
import io.agentprm.env.webshop.shop.Shop;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The shop with which recordings are compared, as the original was set up for them. */
final class Reference implements AutoCloseable {
    /** The seed under which the recordings drew the prices of products that have two. */
    private static final long PRICE_SEED = 42;

    private final Path data;
    private final RewardFunction rewards;
    private final Map<Integer, Inventory> inventories = new HashMap<>();

    Reference(Path data, NounExtractor nouns) {
        this.data = data;
        this.rewards = new RewardFunction(nouns, Similarity.DIFFLIB);
    }

    RewardFunction rewards() {
        return rewards;
    }

    /**
     * The catalogue.
     *
     * @param limit its first so many products; 0 for all
     */
    Inventory inventory(int limit) {
        return inventories.computeIfAbsent(
                limit, first -> Inventory.inMemory(CatalogFiles.in(data, first)));
    }

    Shop shop() {
        Inventory all = inventory(0);
        GoalRules rules = GoalRules.original(GoalKind.SYNTHETIC, PRICE_SEED);
        return Shop.of(all, GoalBook.of(all, rules), rewards, false, ProductLinks.ASIN);
    }

    @Override
    public void close() {
        inventories.values().forEach(Inventory::close);
    }
}
