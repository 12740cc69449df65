package io.agentprm.env.webshop.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.env.webshop.TestProducts;
import io.agentprm.env.webshop.catalog.CatalogFiles;
import io.agentprm.env.webshop.catalog.Product;
import io.agentprm.env.webshop.catalog.ProductSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A catalogue in memory and one on disk are the same to whoever asks. */
class InventoryTest {
    @TempDir private Path folder;
    private Path cache;
    private CatalogFiles files;

    @BeforeEach
    void write() {
        cache = folder.resolve("cache");
        files = CatalogFiles.in(TestProducts.write(folder.resolve("data")), 0);
    }

    @Test
    void memoryAndDiskGiveTheSameAnswers() {
        try (Inventory memory = Inventory.inMemory(files);
                Inventory disk = Inventory.onDisk(files, Optional.of(cache))) {
            assertEquals(memory.contentHash(), disk.contentHash());
            assertEquals(products(memory), products(disk));
            assertEquals(memory.index().search("wool lamps"), disk.index().search("wool lamps"));
            assertEquals(OptionalInt.of(2), disk.catalog().find("B000000003"));
            assertEquals(OptionalInt.of(2), memory.catalog().find("B000000003"));
            assertEquals(OptionalInt.empty(), disk.catalog().find("B0"));
            for (int i = 0; i < 3; i++) {
                assertEquals(memory.facts().price(i), disk.facts().price(i));
                assertEquals(memory.facts().isRange(i), disk.facts().isRange(i));
                assertEquals(memory.facts().syntheticGoals(i), disk.facts().syntheticGoals(i));
                assertEquals(memory.facts().humanGoals(i), disk.facts().humanGoals(i));
                assertEquals(memory.facts().hasRequest(i), disk.facts().hasRequest(i));
            }
        }
    }

    @Test
    void whatIsOnDiskIsFoundAgainAndNotBuiltTwice() {
        Inventory.onDisk(files, Optional.of(cache)).close();
        ProductSource unread =
                new ProductSource() {
                    @Override
                    public String forEach(Consumer<Product> sink) {
                        throw new AssertionError("the products are read again");
                    }

                    @Override
                    public String fingerprint() {
                        return files.fingerprint();
                    }

                    @Override
                    public boolean isLarge() {
                        return false;
                    }
                };
        try (Inventory again = Inventory.onDisk(unread, Optional.of(cache))) {
            assertEquals(3, again.catalog().size());
        }
    }

    @Test
    void halfAnIndexIsBuiltAnew() throws IOException {
        Inventory.onDisk(files, Optional.of(cache)).close();
        Path home;
        try (Stream<Path> homes = Files.list(cache)) {
            home = homes.findFirst().orElseThrow();
        }
        Files.delete(home.resolve("manifest"));
        try (Inventory again = Inventory.onDisk(files, Optional.of(cache))) {
            assertEquals(3, again.catalog().size());
        }
        assertTrue(Files.exists(home.resolve("manifest")));
    }

    @Test
    void aTemporaryFolderIsDeletedAtTheEnd() {
        Path home;
        try (Inventory disk = Inventory.onDisk(files, Optional.empty())) {
            home = disk.home().orElseThrow();
            assertTrue(Files.exists(home));
        }
        assertFalse(Files.exists(home));
    }

    @Test
    void wordsCountAsOftenAsTheyAreTypedAndStopWordsDoNot() {
        try (Inventory memory = Inventory.inMemory(files)) {
            assertEquals(
                    "{lamp=2, wool=1}",
                    memory.index().terms("The lamp's lamps of WOOL").toString());
            assertEquals(List.of(), memory.index().search("the of"));
            float once = memory.index().search("lamp").get(0).score();
            float twice = memory.index().search("lamp lamps").get(0).score();
            assertEquals(2 * once, twice, 1e-6);
        }
    }

    @Test
    void aTextOfAnyLengthIsSearched() {
        StringBuilder text = new StringBuilder("wool");
        for (int i = 0; i < 5000; i++) {
            text.append(" word").append(i);
        }
        try (Inventory memory = Inventory.inMemory(files)) {
            assertEquals(2, memory.index().search(text.toString()).size());
        }
    }

    private static List<Product> products(Inventory inventory) {
        List<Product> products = new ArrayList<>();
        for (int i = 0; i < inventory.catalog().size(); i++) {
            products.add(inventory.catalog().product(i));
        }
        return products;
    }
}
