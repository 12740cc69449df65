package io.agentprm.env.webshop.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.env.webshop.catalog.CatalogFiles;
import io.agentprm.env.webshop.catalog.Product;
import io.agentprm.env.webshop.goal.GoalBook;
import io.agentprm.env.webshop.goal.GoalKind;
import io.agentprm.env.webshop.goal.GoalRules;
import io.agentprm.env.webshop.search.Inventory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The generated catalogue is reproducible, and statistically like the released thousand. */
class CatalogGeneratorTest {
    private static final List<Product> PRODUCTS = products(GeneratorOptions.standard(1));

    @TempDir private Path folder;

    private static List<Product> products(GeneratorOptions options) {
        List<Product> products = new ArrayList<>();
        new GeneratedProducts(new CatalogGenerator(options)).forEach(products::add);
        return products;
    }

    @Test
    void theSameSeedGivesTheSameProductsInEveryLocale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr-TR"));
            assertEquals(PRODUCTS, products(GeneratorOptions.standard(1)));
        } finally {
            Locale.setDefault(before);
        }
        assertNotEquals(PRODUCTS, products(GeneratorOptions.standard(2)));
    }

    @Test
    void filesHoldTheSameProducts() {
        GeneratorOptions options = new GeneratorOptions(5, 60);
        CatalogWriter.write(new CatalogGenerator(options), folder);
        List<Product> read = new ArrayList<>();
        CatalogFiles.in(folder, 0).forEach(read::add);
        assertEquals(products(options), read);
    }

    @Test
    void anyOneCanBeMadeAloneAndFarOut() {
        CatalogGenerator many = new CatalogGenerator(new GeneratorOptions(1, 2_000_000));
        assertEquals(many.item(1_999_999), many.item(1_999_999));
        Set<String> asins = new HashSet<>();
        for (int i = 0; i < 2_000_000; i += 97) {
            assertTrue(asins.add(many.item(i).asin()));
        }
        assertTrue(asins.stream().allMatch(asin -> asin.matches("B0[0-9A-Z]{8}")));
    }

    @Test
    void shapesAreThoseOfTheReleasedThousand() {
        assertEquals(
                Set.of("beauty", "electronics", "fashion", "garden", "grocery"),
                new TreeSet<>(PRODUCTS.stream().map(Product::category).toList()));
        between(150, 260, PRODUCTS.stream().map(Product::query).distinct().count());
        share(0.25, 0.35, product -> product.description().isEmpty());
        share(0.37, 0.48, product -> !product.options().isEmpty());
        share(0.77, 0.88, product -> !product.attributes().isEmpty());
        share(0.37, 0.50, product -> product.request().isPresent());
        share(0.06, 0.12, product -> product.pricing().size() == 2);
        share(0.06, 0.14, product -> product.priceTag().equals("$100.0"));
        between(90, 130, median(PRODUCTS.stream().map(p -> p.title().length()).toList()));
        between(
                350,
                500,
                PRODUCTS.stream().flatMap(p -> p.attributes().stream()).distinct().count());
    }

    @Test
    void thereAreGoalsEnoughForTheSplits() {
        try (Inventory inventory =
                Inventory.inMemory(
                        new GeneratedProducts(
                                new CatalogGenerator(GeneratorOptions.standard(1))))) {
            for (GoalKind kind : GoalKind.values()) {
                int goals = GoalBook.of(inventory, GoalRules.original(kind, 1)).size();
                assertTrue(goals >= (kind == GoalKind.SYNTHETIC ? 2500 : 800), kind + " " + goals);
            }
        }
    }

    @Test
    void instructionsAskForWhatTheProductHas() {
        for (Product product : PRODUCTS) {
            product.request()
                    .ifPresent(
                            request -> {
                                assertTrue(product.attributes().containsAll(request.attributes()));
                                request.attributes()
                                        .forEach(a -> assertTrue(request.text().contains(a)));
                                assertTrue(request.text().contains(product.query()));
                            });
            product.instructions()
                    .forEach(
                            one -> {
                                assertTrue(product.attributes().containsAll(one.attributes()));
                                one.options()
                                        .forEach(
                                                value ->
                                                        assertTrue(
                                                                product.options().values().stream()
                                                                        .anyMatch(
                                                                                group ->
                                                                                        group
                                                                                                .contains(
                                                                                                        value))));
                            });
        }
    }

    private static void share(double from, double to, Predicate<Product> has) {
        between(from, to, PRODUCTS.stream().filter(has).count() / (double) PRODUCTS.size());
    }

    private static void between(double from, double to, double actual) {
        assertTrue(
                actual >= from && actual <= to, actual + " is not in [" + from + ", " + to + "]");
    }

    private static int median(List<Integer> numbers) {
        return numbers.stream().sorted().toList().get(numbers.size() / 2);
    }
}
