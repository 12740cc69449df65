package io.agentprm.env.webshop.suite;

import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.catalog.Digests;
import io.agentprm.env.webshop.catalog.ProductSource;
import io.agentprm.env.webshop.goal.GoalBook;
import io.agentprm.env.webshop.reward.NounExtractor;
import io.agentprm.env.webshop.reward.NounTable;
import io.agentprm.env.webshop.reward.OpenNlpNouns;
import io.agentprm.env.webshop.reward.RememberedNouns;
import io.agentprm.env.webshop.reward.RewardFunction;
import io.agentprm.env.webshop.search.Inventory;
import io.agentprm.env.webshop.shop.ProductLinks;
import io.agentprm.env.webshop.shop.Shop;
import java.util.Locale;

/** Products, goals and shop of a suite. */
record Loaded(Inventory inventory, GoalBook goals, GoalSplits splits, Shop shop, String contentHash)
        implements AutoCloseable {
    static Loaded of(ProductSource source, WebshopConfig config) {
        NounExtractor tagger = new RememberedNouns(OpenNlpNouns.create());
        NounExtractor nouns =
                config.nouns().isPresent() ? NounTable.read(config.nouns().get(), tagger) : tagger;
        Inventory inventory = config.storage().open(source, config.cache());
        GoalBook goals =
                GoalBook.of(inventory, config.variant().rules(config.goals(), config.seed()));
        if (goals.size() == 0) {
            inventory.close();
            throw new WebshopException(
                    "the catalogue's "
                            + inventory.facts().size()
                            + " products have no "
                            + config.goals().name().toLowerCase(Locale.ROOT)
                            + " goals; take more products, or the other goals");
        }
        Shop shop =
                Shop.of(
                        inventory,
                        goals,
                        new RewardFunction(nouns, config.similarity()),
                        config.showAttributes(),
                        config.productLinks());
        GoalSplits splits =
                GoalSplits.of(config.variant(), goals, config.heldOutProducts(), config.seed());
        return new Loaded(inventory, goals, splits, shop, hash(inventory, config));
    }

    private static String hash(Inventory inventory, WebshopConfig config) {
        return Digests.sha256(
                String.join(
                                "\n",
                                inventory.contentHash(),
                                config.goals().name(),
                                config.variant().name(),
                                Long.toString(config.seed()),
                                config.observations().name(),
                                Boolean.toString(config.showAttributes()),
                                Integer.toString(config.suggestedSearches()),
                                config.similarity().name(),
                                config.nouns().map(NounTable::contentHash).orElse(""))
                        + (config.heldOutProducts() == 0 ? "" : "\n" + config.heldOutProducts())
                        + (config.productLinks() == ProductLinks.ASIN ? "" : "\nnumbers"));
    }

    @Override
    public void close() {
        inventory.close();
    }
}
