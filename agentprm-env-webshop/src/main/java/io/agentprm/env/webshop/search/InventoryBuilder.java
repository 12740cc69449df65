package io.agentprm.env.webshop.search;

import io.agentprm.api.IoReasons;
import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.catalog.Digests;
import io.agentprm.env.webshop.catalog.MemoryCatalog;
import io.agentprm.env.webshop.catalog.Product;
import io.agentprm.env.webshop.catalog.ProductSource;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** Builds inventories, and finds those on disk again. */
final class InventoryBuilder {
    /** Holds the content's hash; written last, so a folder with it is complete. */
    private static final String MANIFEST = "manifest";

    private static final String FACTS = "facts";
    private static final String INDEX = "index";

    /** Changes with the way products are stored or indexed. */
    private static final String VERSION = "1";

    private InventoryBuilder() {}

    static Inventory inMemory(ProductSource source) {
        Directory directory = new ByteBuffersDirectory();
        Analyzer analyzer = ShopIndex.newAnalyzer();
        List<Product> products = new ArrayList<>();
        GoalFacts facts = new GoalFacts();
        try {
            String hash =
                    index(
                            source,
                            directory,
                            analyzer,
                            false,
                            product -> {
                                products.add(product);
                                facts.add(product);
                            });
            return new Inventory(
                    new MemoryCatalog(products),
                    new ShopIndex(directory, analyzer),
                    facts,
                    hash,
                    Optional.empty(),
                    false);
        } catch (IOException e) {
            throw new WebshopException("cannot index the products: " + IoReasons.of(e), e);
        }
    }

    static Inventory onDisk(ProductSource source, Optional<Path> folder) {
        String wanted = Digests.sha256(VERSION + "\n" + source.fingerprint());
        try {
            if (folder.isEmpty()) {
                Path home = Files.createTempDirectory("agentprm-webshop");
                build(source, home);
                return open(home, true);
            }
            Path home = folder.get().resolve(wanted.substring(0, 16));
            if (!Files.exists(home.resolve(MANIFEST))) {
                buildBeside(source, home);
            }
            return open(home, false);
        } catch (IOException e) {
            throw new WebshopException(
                    "cannot keep the products on disk: "
                            + IoReasons.of(e)
                            + "; choose another folder with the setting cache",
                    e);
        }
    }

    /** In a folder of its own that is then renamed, so that no process sees half an index. */
    private static void buildBeside(ProductSource source, Path home) throws IOException {
        Files.createDirectories(home.getParent());
        Path fresh = Files.createTempDirectory(home.getParent(), home.getFileName() + ".new");
        try {
            build(source, fresh);
            if (!Files.exists(home.resolve(MANIFEST))) {
                delete(home);
            }
            Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.exists(home.resolve(MANIFEST))) {
                throw e;
            }
            // Another process was faster; its index is as good.
        } finally {
            delete(fresh);
        }
    }

    private static void build(ProductSource source, Path home) throws IOException {
        GoalFacts facts = new GoalFacts();
        String hash;
        try (Analyzer analyzer = ShopIndex.newAnalyzer();
                Directory directory = FSDirectory.open(home.resolve(INDEX))) {
            hash = index(source, directory, analyzer, true, facts::add);
        }
        try (DataOutputStream out =
                new DataOutputStream(
                        new BufferedOutputStream(Files.newOutputStream(home.resolve(FACTS))))) {
            facts.write(out);
        }
        Files.writeString(home.resolve(MANIFEST), hash);
    }

    private static Inventory open(Path home, boolean temporary) throws IOException {
        String hash = Files.readString(home.resolve(MANIFEST));
        GoalFacts facts;
        try (DataInputStream in =
                new DataInputStream(
                        new BufferedInputStream(Files.newInputStream(home.resolve(FACTS))))) {
            facts = GoalFacts.read(in);
        }
        ShopIndex index =
                new ShopIndex(FSDirectory.open(home.resolve(INDEX)), ShopIndex.newAnalyzer());
        if (index.size() != facts.size()) {
            index.close();
            throw new WebshopException(
                    home + " is damaged: delete it, and it is built anew from the products");
        }
        return new Inventory(
                new StoredCatalog(index), index, facts, hash, Optional.of(home), temporary);
    }

    /** Adds all products on this thread, and merges neighbours only: documents keep their order. */
    private static String index(
            ProductSource source,
            Directory directory,
            Analyzer analyzer,
            boolean stored,
            Consumer<Product> alsoTo)
            throws IOException {
        IndexWriterConfig config =
                new IndexWriterConfig(analyzer)
                        .setOpenMode(IndexWriterConfig.OpenMode.CREATE)
                        .setMergePolicy(new LogDocMergePolicy())
                        .setMergeScheduler(new SerialMergeScheduler())
                        .setRAMBufferSizeMB(64);
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            String hash =
                    source.forEach(
                            product -> {
                                add(writer, product, stored);
                                alsoTo.accept(product);
                            });
            if (!stored) {
                writer.forceMerge(1);
            }
            return hash;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void add(IndexWriter writer, Product product, boolean stored) {
        try {
            writer.addDocument(IndexedFields.of(product, stored));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new WebshopException(
                    "cannot delete " + folder + ": " + IoReasons.of(e) + "; delete it by hand", e);
        }
    }
}
