package io.agentprm.env.webshop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.agentprm.env.webshop.catalog.CatalogFiles;
import io.agentprm.env.webshop.reward.NounExtractor;
import io.agentprm.env.webshop.reward.NounTable;
import io.agentprm.env.webshop.search.Inventory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;

/** Reference data beside the checkout; tests that need it are skipped where it is absent. */
public final class TestData {
    private static final String FOLDER = "shared/webshop";

    private TestData() {}

    /** The folder of the reference data; skips the test if there is none. */
    public static Path folder() {
        Optional<Path> folder = shared();
        Assumptions.assumeTrue(folder.isPresent(), "no " + FOLDER + " beside the checkout");
        return folder.orElseThrow();
    }

    /** A file of the reference data; skips the test if there is none. */
    public static Path file(String name) {
        Path file = folder().resolve(name);
        Assumptions.assumeTrue(
                Files.exists(file), "no " + FOLDER + "/" + name + " beside the checkout");
        return file;
    }

    /** Content of a file of the reference data, gzipped or not. */
    public static JsonNode json(String name) {
        try (InputStream raw = Files.newInputStream(file(name));
                InputStream plain = name.endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
            return new ObjectMapper().readTree(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The thousand products of the original. */
    public static Inventory inventory() {
        return Inventory.inMemory(CatalogFiles.in(folder(), 0));
    }

    /** The nouns with which the recordings were made; a title without an entry fails the test. */
    public static NounExtractor nouns() {
        return NounTable.read(
                file("noun_tokens.json"),
                title -> {
                    throw new AssertionError("no nouns are recorded for '" + title + "'");
                });
    }

    private static Optional<Path> shared() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isDirectory(at.resolve(FOLDER))) {
                return Optional.of(at.resolve(FOLDER));
            }
        }
        return Optional.empty();
    }
}
