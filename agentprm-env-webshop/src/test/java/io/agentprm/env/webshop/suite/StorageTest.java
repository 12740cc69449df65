package io.agentprm.env.webshop.suite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.env.Action;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Session;
import io.agentprm.api.env.StepResult;
import io.agentprm.api.env.Task;
import io.agentprm.api.run.RunContext;
import io.agentprm.env.webshop.catalog.Catalog;
import io.agentprm.env.webshop.catalog.Product;
import io.agentprm.env.webshop.generator.CatalogGenerator;
import io.agentprm.env.webshop.generator.CatalogWriter;
import io.agentprm.env.webshop.generator.GeneratorOptions;
import io.agentprm.env.webshop.search.ShopIndex;
import io.agentprm.env.webshop.shop.ObservationMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nobody who shops can tell whether products are in memory or on disk. */
class StorageTest {
    private static final int PRODUCTS = 3000;

    @TempDir private static Path folder;
    private static WebshopConfig config;
    private static WebshopEnvironment memory;
    private static WebshopEnvironment disk;

    @BeforeAll
    static void open() {
        Path data = folder.resolve("data");
        CatalogWriter.write(new CatalogGenerator(new GeneratorOptions(11, PRODUCTS)), data);
        config = WebshopConfig.released(data).withStepLimit(40);
        memory = open(config.with(Storage.MEMORY, Optional.empty()));
        disk = open(config.with(Storage.DISK, Optional.of(folder.resolve("cache"))));
    }

    @AfterAll
    static void close() {
        memory.close();
        disk.close();
    }

    private static WebshopEnvironment open(WebshopConfig config) {
        return (WebshopEnvironment) new WebshopProvider().create(config, RunContext.ofSeed(1));
    }

    @Test
    void identityTasksAndPricesAreTheSame() {
        assertEquals(memory.info().contentHash(), disk.info().contentHash());
        for (String split : memory.splits()) {
            assertEquals(memory.tasks(split), disk.tasks(split));
        }
        for (int i = 0; i < PRODUCTS; i++) {
            assertEquals(memory.loaded().goals().price(i), disk.loaded().goals().price(i));
        }
    }

    @Test
    void rankingsAndScoresAreTheSame() {
        ShopIndex expected = memory.loaded().inventory().index();
        ShopIndex actual = disk.loaded().inventory().index();
        SplittableRandom random = new SplittableRandom(3);
        List<Task> tasks = memory.tasks("train");
        for (int i = 0; i < 500; i++) {
            String words = words(tasks.get(random.nextInt(tasks.size())), random);
            List<ShopIndex.Hit> hits = expected.search(words);
            assertTrue(!hits.isEmpty(), words);
            assertEquals(hits, actual.search(words), words);
        }
    }

    @Test
    void productsOfACategoryOrQueryComeInTheOrderOfTheFile() {
        Catalog catalog = memory.loaded().inventory().catalog();
        String category = catalog.product(0).category();
        String query = catalog.product(0).query();
        for (WebshopEnvironment shop : List.of(memory, disk)) {
            ShopIndex index = shop.loaded().inventory().index();
            assertArrayEquals(
                    ordinals(catalog, product -> product.category().equals(category)),
                    index.ofCategory(category));
            assertArrayEquals(
                    ordinals(catalog, product -> product.query().equals(query)),
                    index.ofQuery(query));
        }
    }

    private static int[] ordinals(Catalog catalog, Predicate<Product> has) {
        return IntStream.range(0, catalog.size())
                .filter(i -> has.test(catalog.product(i)))
                .toArray();
    }

    /** An instruction, or a stretch of it. */
    private static String words(Task task, SplittableRandom random) {
        List<String> words =
                List.of(task.attributes().get(WebshopEnvironment.INSTRUCTION).split(" "));
        int from = 2 + random.nextInt(words.size() - 2);
        int to = from + 1 + random.nextInt(words.size() - from);
        return random.nextBoolean()
                ? String.join(" ", words)
                : String.join(" ", words.subList(from, to)) + " price";
    }

    @ParameterizedTest
    @EnumSource
    void visitsAreTheSameInEveryModeUpToTheReward(ObservationMode mode) {
        int purchases = 0;
        try (WebshopEnvironment one =
                        open(config.with(Storage.MEMORY, Optional.empty()).with(mode));
                WebshopEnvironment other =
                        open(
                                config.with(Storage.DISK, Optional.of(folder.resolve("cache")))
                                        .with(mode));
                Session expected = one.open();
                Session actual = other.open()) {
            SplittableRandom random = new SplittableRandom(mode.ordinal());
            for (Task task : one.tasks("test").subList(0, 50)) {
                assertEquals(
                        expected.reset(task, 1).observation(), actual.reset(task, 1).observation());
                Optional<StepResult> last = Optional.empty();
                while (last.isEmpty() || last.get().end().isEmpty()) {
                    Action action = action(last.map(StepResult::observation), task, random);
                    StepResult result = expected.step(action);
                    assertSame(result, actual.step(action), action.text());
                    purchases += action.text().equals("click[buy now]") ? 1 : 0;
                    last = Optional.of(result);
                }
            }
        }
        assertTrue(purchases > 10, "only " + purchases + " purchases");
    }

    private static void assertSame(StepResult expected, StepResult actual, String action) {
        assertEquals(expected.observation(), actual.observation(), action);
        assertEquals(expected.reward(), actual.reward(), action);
        assertEquals(expected.feedback(), actual.feedback(), action);
        assertEquals(expected.end(), actual.end(), action);
    }

    private static Action action(Optional<Observation> seen, Task task, SplittableRandom random) {
        List<String> possible =
                new ArrayList<>(seen.flatMap(Observation::admissibleActions).orElse(List.of()));
        if (possible.isEmpty() || random.nextInt(10) == 0) {
            List<String> searches =
                    List.of(
                            words(task, random),
                            "<r>",
                            "<c> " + task.category(),
                            "<q> coffee tables");
            return Action.text("search[" + searches.get(random.nextInt(searches.size())) + "]");
        }
        return Action.text(possible.get(random.nextInt(possible.size())));
    }
}
