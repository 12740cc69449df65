package io.agentprm.env.webshop.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.env.webshop.TestProducts;
import io.agentprm.env.webshop.WebshopException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The original's files are read as the original reads them, and damage is named with its place. */
class CatalogFilesTest {
    @TempDir private Path folder;

    @BeforeEach
    void write() {
        TestProducts.write(folder);
    }

    @Test
    void productsWithoutAProperIdAndRepeatedOnesAreLeftOut() {
        assertEquals(
                List.of("B000000001", "B000000002", "B000000003"),
                read(0).stream().map(Product::asin).toList());
    }

    @Test
    void aLimitCountsEntriesOfTheFileAndNotProducts() {
        assertEquals(1, read(4).size());
        assertEquals(2, read(5).size());
    }

    @Test
    void textsAndOptionsAreNormalisedAsInTheOriginal() {
        Product scarf = read(0).get(0);
        assertEquals("scarves", scarf.query());
        assertEquals(
                Map.of(
                        "color", List.of("red | blue", "next >"),
                        "style", List.of("red  |  blue", "[big]")),
                scarf.options());
        assertEquals(List.of("soft wool", ""), scarf.bullets());
        assertEquals(List.of("one"), read(0).get(1).bullets());
    }

    @Test
    void pricesLoseTheirCommasAndDefaultToAHundred() {
        List<Product> products = read(0);
        assertEquals("$19.99 to $12.0", products.get(0).priceTag());
        assertEquals(List.of(19.99, 12.0), products.get(0).pricing());
        assertEquals("$100.0", products.get(1).priceTag());
        assertEquals("$1847.0", products.get(2).priceTag());
    }

    @Test
    void aProductWithoutAnEntryHasTheOriginalsDummyAttribute() {
        List<Product> products = read(0);
        assertEquals(List.of(), products.get(1).attributes());
        assertEquals(List.of("DUMMY_ATTR"), products.get(2).attributes());
    }

    @Test
    void compressedFilesGiveTheSameProducts() throws IOException {
        List<Product> plain = read(0);
        Path file = folder.resolve("items_shuffle.json");
        try (OutputStream out =
                new GZIPOutputStream(
                        Files.newOutputStream(folder.resolve("items_shuffle.json.gz")))) {
            Files.copy(file, out);
        }
        Files.delete(file);
        assertEquals(plain, read(0));
    }

    @Test
    void theHashChangesWithAnyFile() throws IOException {
        String before = CatalogFiles.in(folder, 0).forEach(product -> {});
        assertEquals(before, CatalogFiles.in(folder, 0).forEach(product -> {}));
        Files.writeString(
                folder.resolve("items_human_ins.json"),
                "{\"B000000002\": [{\"instruction\": \"x\"}]}");
        assertNotEquals(before, CatalogFiles.in(folder, 0).forEach(product -> {}));
    }

    @Test
    void whatIsMissingOrAmbiguousIsNamed() throws IOException {
        refused("there is no directory", folder.resolve("none"));
        Files.writeString(folder.resolve("items_shuffle_1000.json"), "[]");
        refused("holds several files items_shuffle*", folder);
        Files.delete(folder.resolve("items_shuffle_1000.json"));
        Files.delete(folder.resolve("items_ins_v2.json"));
        refused("holds no items_ins_v2*.json", folder);
    }

    @Test
    void damageIsNamedWithFileLineAndEntry() throws IOException {
        damaged("[{\"asin\": \"A\"},\n {\"asin\": \"B\", ", "items_shuffle.json, line 2");
        damaged("[{\"asin\": \"A\"},\n 7]", "line 2, entry 2: a product must be a JSON object");
        damaged("[{\"name\": \"x\"}]", "entry 1: the product has no 'asin'");
        damaged("[{\"asin\": \"A\", \"name\": 3}]", "'name' must be a string");
        damaged("[{\"asin\": \"A\", \"pricing\": \"12\"}]", "pricing '12' holds no '$'");
        damaged("[{\"asin\": \"A\", \"pricing\": \"$.\"}]", "where a number should be");
        damaged("12", "neither a JSON array nor an object");
        damaged("[{\"asin\": \"A\"}", "items_shuffle.json");
        write();
        Files.move(folder.resolve("items_shuffle.json"), folder.resolve("items_shuffle.json.gz"));
        refused("items_shuffle.json.gz cannot be read", folder);
    }

    private void damaged(String content, String message) throws IOException {
        Files.writeString(folder.resolve("items_shuffle.json"), content);
        refused(message, folder);
    }

    private static void refused(String message, Path folder) {
        WebshopException e =
                assertThrows(
                        WebshopException.class,
                        () -> CatalogFiles.in(folder, 0).forEach(product -> {}));
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    private List<Product> read(int limit) {
        List<Product> products = new ArrayList<>();
        CatalogFiles.in(folder, limit).forEach(products::add);
        return products;
    }
}
