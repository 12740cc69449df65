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
import io.agentprm.env.webshop.suite.Storage;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The shop with which recordings are compared, as the original was set up for them. */
final class Reference implements AutoCloseable {
    /** The seed under which the recordings drew the prices of products that have two. */
    private static final long PRICE_SEED = 42;

    private final Path data;
    private final Storage storage;
    private final RewardFunction rewards;
    private final Map<Integer, Inventory> inventories = new HashMap<>();

    Reference(Path data, Storage storage, NounExtractor nouns) {
        this.data = data;
        this.storage = storage;
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
                limit, first -> storage.open(CatalogFiles.in(data, first), Optional.empty()));
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
