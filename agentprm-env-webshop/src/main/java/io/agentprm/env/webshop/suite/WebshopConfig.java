package io.agentprm.env.webshop.suite;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.env.webshop.generator.GeneratorOptions;
import io.agentprm.env.webshop.goal.GoalKind;
import io.agentprm.env.webshop.reward.Similarity;
import io.agentprm.env.webshop.shop.ObservationMode;
import io.agentprm.env.webshop.shop.ProductLinks;
import java.nio.file.Path;
import java.util.Optional;

/** Configuration of the environment {@code webshop}. */
@Description("An online shop in text: a generated catalogue, or the one released with WebShop.")
public record WebshopConfig(
        @Description("Where the products come from.") @Default("generated") Origin catalog,
        @Description(
                        "Released products: the folder with items_shuffle*.json and its companions;"
                                + " default is the environment variable WEBSHOP_DATA.")
                Optional<Path> data,
        @Description("Released products: take the first so many entries of the file; 0 takes all.")
                @Default("0")
                int limit,
        @Description("Generated products: what to make.") GeneratorOptions generator,
        @Description("Who wrote the instructions.") @Default("synthetic") GoalKind goals,
        @Description("Whose seeds and splits.") @Default("original") Variant variant,
        @Description(
                        "Seed of prices and limits, which the original draws without one; of the"
                                + " order of goals too for verl-agent.")
                @Default("42")
                long seed,
        @Description("How pages are written.") @Default("text") ObservationMode observations,
        @Description("Largest number of actions of an episode, at least 1; part of the task.")
                @Default("15")
                int stepLimit,
        @Description("Show a page with a product's attributes, category and query.")
                @Default("false")
                boolean showAttributes,
        @Description(
                        "Number of searches, made of the instruction, that the start page lists as"
                                + " admissible actions; 0 lists none and leaves the words to the"
                                + " agent.")
                @Default("0")
                int suggestedSearches,
        @Description(
                        "What links to products are called: asin, as in the original; number, their"
                                + " place on the page, for small models, which need not spell ten"
                                + " random signs then.")
                @Default("asin")
                ProductLinks productLinks,
        @Description(
                        "Share of products, in [0, 1), whose goals nobody trains on: they leave the"
                                + " other splits and form the split unseen. In the shop they stay.")
                @Default("0")
                double heldOutProducts,
        @Description("How the reward compares texts.") @Default("difflib") Similarity similarity,
        @Description(
                        "Table of titles' nouns that another tagger made, {\"titles\": {TITLE:"
                                + " [NOUN]}}; titles that it lacks are tagged here.")
                Optional<Path> nouns,
        @Description("Where products and index are kept.") @Default("auto") Storage storage,
        @Description(
                        "On disk: folder in which they are found again by the next run; without it"
                                + " a temporary one is used and deleted.")
                Optional<Path> cache) {
    /** Where products come from. */
    public enum Origin {
        /** Made from a seed. */
        GENERATED,
        /** Read from files. */
        RELEASED
    }

    /**
     * Checks ranges.
     *
     * @throws IllegalArgumentException if a number is out of range, or a variant has no such goals
     */
    public WebshopConfig {
        atLeast("limit", limit, 0);
        atLeast("step-limit", stepLimit, 1);
        atLeast("suggested-searches", suggestedSearches, 0);
        if (!(heldOutProducts >= 0 && heldOutProducts < 1)) {
            throw new IllegalArgumentException(
                    "held-out-products must lie in [0, 1), was " + heldOutProducts);
        }
        if (variant != Variant.ORIGINAL && goals == GoalKind.HUMAN) {
            throw new IllegalArgumentException(
                    "goals must be synthetic unless variant is original, was human");
        }
    }

    private static void atLeast(String key, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(
                    key + " must be " + least + " or more, was " + value);
        }
    }

    /** A generated catalogue with everything else by default. */
    public static WebshopConfig generated(GeneratorOptions options) {
        return of(Origin.GENERATED, Optional.empty(), options);
    }

    /** Released products with everything else by default. */
    public static WebshopConfig released(Path data) {
        return of(Origin.RELEASED, Optional.of(data), GeneratorOptions.standard(1));
    }

    private static WebshopConfig of(Origin origin, Optional<Path> data, GeneratorOptions options) {
        return new WebshopConfig(
                origin,
                data,
                0,
                options,
                GoalKind.SYNTHETIC,
                Variant.ORIGINAL,
                42,
                ObservationMode.TEXT,
                15,
                false,
                0,
                ProductLinks.ASIN,
                0,
                Similarity.DIFFLIB,
                Optional.empty(),
                Storage.AUTO,
                Optional.empty());
    }

    /** The same with other goals. */
    public WebshopConfig with(GoalKind kind, Variant whose) {
        Change change = new Change(this);
        change.goals = kind;
        change.variant = whose;
        return change.made();
    }

    /** The same with another way of writing pages. */
    public WebshopConfig with(ObservationMode mode) {
        Change change = new Change(this);
        change.observations = mode;
        return change.made();
    }

    /** The same with another step limit. */
    public WebshopConfig withStepLimit(int steps) {
        Change change = new Change(this);
        change.stepLimit = steps;
        return change.made();
    }

    /** The same with so many searches listed on the start page. */
    public WebshopConfig withSuggestedSearches(int number) {
        Change change = new Change(this);
        change.suggestedSearches = number;
        return change.made();
    }

    /** The same with other names of links to products. */
    public WebshopConfig with(ProductLinks names) {
        Change change = new Change(this);
        change.productLinks = names;
        return change.made();
    }

    /** The same with a share of the products held out. */
    public WebshopConfig withHeldOutProducts(double share) {
        Change change = new Change(this);
        change.heldOutProducts = share;
        return change.made();
    }

    /** The same with a table of nouns. */
    public WebshopConfig withNouns(Path table) {
        Change change = new Change(this);
        change.nouns = Optional.of(table);
        return change.made();
    }

    /** The same with products and index kept elsewhere. */
    public WebshopConfig with(Storage where, Optional<Path> folder) {
        Change change = new Change(this);
        change.storage = where;
        change.cache = folder;
        return change.made();
    }

    /** A copy of what changes; the rest is taken over. */
    private static final class Change {
        private final WebshopConfig from;
        private GoalKind goals;
        private Variant variant;
        private ObservationMode observations;
        private int stepLimit;
        private int suggestedSearches;
        private ProductLinks productLinks;
        private double heldOutProducts;
        private Optional<Path> nouns;
        private Storage storage;
        private Optional<Path> cache;

        Change(WebshopConfig from) {
            this.from = from;
            this.goals = from.goals;
            this.variant = from.variant;
            this.observations = from.observations;
            this.stepLimit = from.stepLimit;
            this.suggestedSearches = from.suggestedSearches;
            this.productLinks = from.productLinks;
            this.heldOutProducts = from.heldOutProducts;
            this.nouns = from.nouns;
            this.storage = from.storage;
            this.cache = from.cache;
        }

        WebshopConfig made() {
            return new WebshopConfig(
                    from.catalog,
                    from.data,
                    from.limit,
                    from.generator,
                    goals,
                    variant,
                    from.seed,
                    observations,
                    stepLimit,
                    from.showAttributes,
                    suggestedSearches,
                    productLinks,
                    heldOutProducts,
                    from.similarity,
                    nouns,
                    storage,
                    cache);
        }
    }
}
