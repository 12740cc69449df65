package io.agentprm.env.webshop.catalog;

import io.agentprm.api.IoReasons;
import io.agentprm.env.webshop.WebshopException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The original's files in a folder: {@code items_shuffle*.json} with the products, {@code
 * items_ins_v2*.json} with attributes and, where it is there, {@code items_human_ins*.json}; each
 * may be compressed with gzip ({@code .json.gz}). A folder holds one set of them.
 */
public final class CatalogFiles implements ProductSource {
    private static final String PRODUCTS = "items_shuffle";
    private static final String ATTRIBUTES = "items_ins_v2";
    private static final String INSTRUCTIONS = "items_human_ins";

    private static final int MANY = 50_000;

    /** So many products take some 200 MB, and a quarter of it compressed. */
    private static final long LARGE_FILE = 100L << 20;

    private final Path products;
    private final Path attributes;
    private final Optional<Path> instructions;
    private final int limit;

    private CatalogFiles(Path products, Path attributes, Optional<Path> instructions, int limit) {
        this.products = products;
        this.attributes = attributes;
        this.instructions = instructions;
        this.limit = limit;
    }

    /**
     * Finds the files.
     *
     * @param limit number of entries of the products' file that count, from its start; 0 for all
     * @throws WebshopException if the folder or a file that is needed is missing, or several fit
     */
    public static CatalogFiles in(Path folder, int limit) {
        if (!Files.isDirectory(folder)) {
            throw new WebshopException(
                    "there is no directory "
                            + folder
                            + "; give the one that holds "
                            + PRODUCTS
                            + "*.json");
        }
        return new CatalogFiles(
                required(folder, PRODUCTS),
                required(folder, ATTRIBUTES),
                find(folder, INSTRUCTIONS),
                limit);
    }

    /** True if instructions of people are there. */
    public boolean hasInstructions() {
        return instructions.isPresent();
    }

    private static Path required(Path folder, String start) {
        return find(folder, start)
                .orElseThrow(
                        () ->
                                new WebshopException(
                                        folder
                                                + " holds no "
                                                + start
                                                + "*.json (or .json.gz); fetch it as the WebShop"
                                                + " project describes"));
    }

    private static Optional<Path> find(Path folder, String start) {
        List<Path> found;
        try (Stream<Path> files = Files.list(folder)) {
            found =
                    files.filter(
                                    file -> {
                                        String name = file.getFileName().toString();
                                        return name.startsWith(start)
                                                && (name.endsWith(".json")
                                                        || name.endsWith(".json.gz"));
                                    })
                            .sorted()
                            .toList();
        } catch (IOException e) {
            throw new WebshopException(folder + " cannot be read: " + IoReasons.of(e), e);
        }
        if (found.size() > 1) {
            throw new WebshopException(
                    folder
                            + " holds several files "
                            + start
                            + "*: "
                            + found.stream().map(Path::getFileName).toList()
                            + "; keep one set of files in a folder");
        }
        return found.stream().findFirst();
    }

    @Override
    public String forEach(Consumer<Product> sink) {
        MessageDigest digest = Digests.sha256();
        ProductNotes notes = new ProductNotes();
        new JsonFile(attributes)
                .forEach(
                        digest,
                        (asin, json) -> {
                            notes.addAttributes(asin, json);
                            return true;
                        });
        instructions.ifPresent(
                file ->
                        new JsonFile(file)
                                .forEach(
                                        digest,
                                        (asin, json) -> {
                                            notes.addInstructions(asin, json);
                                            return true;
                                        }));
        ProductReader reader = new ProductReader(notes);
        int[] entries = new int[1];
        new JsonFile(products)
                .forEach(
                        digest,
                        (key, json) -> {
                            reader.read(json).ifPresent(sink);
                            entries[0]++;
                            return entries[0] != limit;
                        });
        digest.update((byte) limit);
        return HexFormat.of().formatHex(digest.digest());
    }

    @Override
    public String fingerprint() {
        List<String> facts = new ArrayList<>();
        facts.add("limit " + limit);
        files().map(CatalogFiles::fact).forEach(facts::add);
        return String.join("\n", facts);
    }

    @Override
    public String identity() {
        List<String> facts = new ArrayList<>();
        facts.add("limit " + limit);
        files().map(Digests::sha256).forEach(facts::add);
        return String.join("\n", facts);
    }

    private Stream<Path> files() {
        return Stream.concat(Stream.of(products, attributes), instructions.stream());
    }

    @Override
    public boolean isLarge() {
        return limit > MANY || (limit == 0 && size(products) > LARGE_FILE);
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new WebshopException(file + " cannot be read: " + IoReasons.of(e), e);
        }
    }

    private static String fact(Path file) {
        try {
            return file.toAbsolutePath().normalize()
                    + " "
                    + Files.size(file)
                    + " "
                    + Files.getLastModifiedTime(file).toMillis();
        } catch (IOException e) {
            throw new WebshopException(file + " cannot be read: " + IoReasons.of(e), e);
        }
    }
}
