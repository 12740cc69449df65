package io.agentprm.env.webshop.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.env.webshop.TestProducts;
import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.catalog.CatalogFiles;
import io.agentprm.env.webshop.catalog.Product;
import io.agentprm.env.webshop.catalog.ProductSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
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
        Counted again = new Counted(files);
        try (Inventory inventory = Inventory.onDisk(again, Optional.of(cache))) {
            assertEquals(3, inventory.catalog().size());
        }
        assertEquals(0, again.readings.get() + again.identities.get());
    }

    @Test
    void theSameFilesElsewhereAreTheSameInventory() {
        String hash;
        try (Inventory first = Inventory.onDisk(files, Optional.of(cache))) {
            hash = first.contentHash();
        }
        Path copy = TestProducts.write(folder.resolve("copy"));
        Counted again = new Counted(CatalogFiles.in(copy, 0));
        try (Inventory second = Inventory.onDisk(again, Optional.of(cache))) {
            assertEquals(hash, second.contentHash());
        }
        assertEquals(0, again.readings.get());
    }

    @Test
    void otherContentIsAnotherInventory() throws IOException {
        Inventory.onDisk(files, Optional.of(cache)).close();
        Path other = TestProducts.write(folder.resolve("other"));
        Files.writeString(other.resolve("items_ins_v2.json"), "{}");
        try (Inventory changed = Inventory.onDisk(CatalogFiles.in(other, 0), Optional.of(cache));
                Inventory first =
                        Inventory.onDisk(
                                CatalogFiles.in(folder.resolve("data"), 1), Optional.of(cache))) {
            assertFalse(changed.facts().hasRequest(0));
            assertEquals(1, first.catalog().size());
        }
    }

    @Test
    void whatAKilledBuildLeftIsBuiltAnew() throws IOException {
        Inventory.onDisk(files, Optional.of(cache)).close();
        Path home = home();
        Path half = home.resolveSibling(home.getFileName() + ".new");
        Files.move(home, half);
        Files.delete(half.resolve("facts"));
        try (Inventory again = Inventory.onDisk(files, Optional.of(cache))) {
            assertEquals(3, again.catalog().size());
        }
        assertFalse(Files.exists(half));
    }

    @Test
    void aBuildThatFailsLeavesNothingAndTheNextOneSucceeds() throws IOException {
        Path data = TestProducts.write(folder.resolve("broken"));
        Files.writeString(data.resolve("items_shuffle.json"), "[{\"asin\": \"B0\"}, {");
        WebshopException e =
                assertThrows(
                        WebshopException.class,
                        () -> Inventory.onDisk(CatalogFiles.in(data, 0), Optional.of(cache)));
        assertTrue(e.getMessage().contains("items_shuffle.json, line 1"), e.getMessage());
        try (Stream<Path> left = Files.list(cache)) {
            assertEquals(List.of(), left.filter(Files::isDirectory).toList());
        }
        TestProducts.write(data);
        Inventory.onDisk(CatalogFiles.in(data, 0), Optional.of(cache)).close();
    }

    @Test
    void aFileThatIsCutOffIsRefusedWithItsFolder() throws IOException {
        Inventory.onDisk(files, Optional.of(cache)).close();
        for (String name : List.of("facts", "starts", "products")) {
            Path file = home().resolve(name);
            byte[] whole = Files.readAllBytes(file);
            Files.write(file, Arrays.copyOf(whole, whole.length - 1));
            WebshopException e =
                    assertThrows(
                            WebshopException.class,
                            () -> Inventory.onDisk(files, Optional.of(cache)));
            assertTrue(e.getMessage().startsWith(home() + " is damaged"), e.getMessage());
            Files.write(file, whole);
        }
        Inventory.onDisk(files, Optional.of(cache)).close();
    }

    @Test
    void threadsThatAskTogetherBuildOnce() {
        Counted source = new Counted(files);
        List<CompletableFuture<Void>> asking =
                Stream.generate(
                                () ->
                                        CompletableFuture.runAsync(
                                                () ->
                                                        Inventory.onDisk(source, Optional.of(cache))
                                                                .close()))
                        .limit(4)
                        .toList();
        asking.forEach(CompletableFuture::join);
        assertEquals(1, source.readings.get());
    }

    @Test
    void aTemporaryFolderIsDeletedAtTheEnd() throws IOException {
        Path parent = Files.createDirectory(folder.resolve("temporary"));
        try (Inventory disk = InventoryFolder.temporary(files, parent)) {
            assertEquals(3, disk.catalog().size());
        }
        try (Stream<Path> left = Files.list(parent)) {
            assertEquals(List.of(), left.toList());
        }
    }

    private Path home() throws IOException {
        try (Stream<Path> homes = Files.list(cache)) {
            return homes.filter(Files::isDirectory).findFirst().orElseThrow();
        }
    }

    /** Counts how often it is read. */
    private static final class Counted implements ProductSource {
        private final ProductSource source;
        private final AtomicInteger readings = new AtomicInteger();
        private final AtomicInteger identities = new AtomicInteger();

        Counted(ProductSource source) {
            this.source = source;
        }

        @Override
        public String forEach(Consumer<Product> sink) {
            readings.incrementAndGet();
            return source.forEach(sink);
        }

        @Override
        public String fingerprint() {
            return source.fingerprint();
        }

        @Override
        public String identity() {
            identities.incrementAndGet();
            return source.identity();
        }

        @Override
        public boolean isLarge() {
            return false;
        }
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
