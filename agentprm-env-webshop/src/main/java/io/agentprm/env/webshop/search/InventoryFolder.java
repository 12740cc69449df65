package io.agentprm.env.webshop.search;

import io.agentprm.api.IoReasons;
import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.catalog.Digests;
import io.agentprm.env.webshop.catalog.ProductSource;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.ChecksumIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;

/**
 * Inventories on disk, each in a folder named by what it was made of. It is built under another
 * name and then renamed, so that nobody sees half of one; whoever is killed meanwhile leaves that
 * other name, which the next one deletes. Of several processes one builds and the others wait.
 */
final class InventoryFolder {
    /** Changes with the way products are stored or indexed. */
    private static final String VERSION = "2";

    /** The content's hash, and what goals need. */
    private static final String FACTS = "facts";

    private InventoryFolder() {}

    /** In a folder of its own below another, deleted when the inventory is closed. */
    static Inventory temporary(ProductSource source, Path parent) {
        Path home;
        try {
            home = Files.createTempDirectory(parent, "agentprm-webshop");
            build(source, home);
        } catch (IOException e) {
            throw unusable(e);
        }
        return open(home, true);
    }

    /** Found again by whoever asks for the same content. */
    static Inventory kept(ProductSource source, Path folder) {
        Path home;
        try {
            Files.createDirectories(folder);
            home = folder.resolve(name(identity(source, folder)));
            if (!Files.exists(home)) {
                buildBeside(source, home);
            }
        } catch (IOException e) {
            throw unusable(e);
        }
        return open(home, false);
    }

    private static WebshopException unusable(IOException e) {
        return new WebshopException(
                "cannot keep the products on disk: "
                        + IoReasons.of(e)
                        + "; choose another folder with the setting cache",
                e);
    }

    private static String name(String facts) {
        return Digests.sha256(VERSION + "\n" + facts).substring(0, 16);
    }

    /** What the source is, whose files are not read again as long as they look untouched. */
    private static String identity(ProductSource source, Path folder) throws IOException {
        Path known = folder.resolve(name(source.fingerprint()) + ".known");
        if (!Files.exists(known)) {
            String identity = source.identity();
            Path fresh = Files.createTempFile(folder, "known", ".new");
            Files.writeString(fresh, identity);
            Files.move(fresh, known, StandardCopyOption.ATOMIC_MOVE);
        }
        return Files.readString(known);
    }

    /** Locks of files are between processes; threads of this one wait for each other here. */
    private static synchronized void buildBeside(ProductSource source, Path home)
            throws IOException {
        Path lock = home.resolveSibling(home.getFileName() + ".lock");
        try (FileChannel file =
                        FileChannel.open(
                                lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = file.lock()) {
            if (Files.exists(home)) {
                return;
            }
            Path fresh = home.resolveSibling(home.getFileName() + ".new");
            delete(fresh);
            build(source, Files.createDirectory(fresh));
            Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static void build(ProductSource source, Path home) throws IOException {
        try {
            write(source, home);
        } catch (IOException | RuntimeException e) {
            delete(home);
            throw e;
        }
    }

    private static void write(ProductSource source, Path home) throws IOException {
        GoalFacts facts = new GoalFacts();
        try (Directory directory = FSDirectory.open(home)) {
            String hash;
            try (StoredCatalog.Writer products = new StoredCatalog.Writer(directory);
                    Analyzer analyzer = ShopIndex.newAnalyzer()) {
                hash =
                        InventoryBuilder.index(
                                source,
                                directory,
                                analyzer,
                                product -> {
                                    products.add(product);
                                    facts.add(product);
                                });
                products.finish();
            }
            try (IndexOutput out = directory.createOutput(FACTS, IOContext.DEFAULT)) {
                out.writeString(hash);
                facts.write(out);
                CodecUtil.writeFooter(out);
            }
            directory.sync(List.of(StoredCatalog.PRODUCTS, StoredCatalog.STARTS, FACTS));
            directory.syncMetaData();
        }
    }

    private static Inventory open(Path home, boolean temporary) {
        Optional<Directory> opened = Optional.empty();
        try {
            opened = Optional.of(FSDirectory.open(home));
            return open(home, opened.get(), temporary);
        } catch (IOException e) {
            opened.ifPresent(IOUtils::closeWhileHandlingException);
            throw new WebshopException(
                    home
                            + " is damaged ("
                            + IoReasons.of(e)
                            + "); delete it, and it is built anew from the products",
                    e);
        }
    }

    private static Inventory open(Path home, Directory directory, boolean temporary)
            throws IOException {
        GoalFacts facts;
        String hash;
        try (ChecksumIndexInput in = directory.openChecksumInput(FACTS, IOContext.READONCE)) {
            hash = in.readString();
            facts = GoalFacts.read(in);
            CodecUtil.checkFooter(in);
        }
        ShopIndex index = new ShopIndex(directory, ShopIndex.newAnalyzer());
        StoredCatalog catalog = new StoredCatalog(directory, index);
        return new Inventory(
                catalog,
                index,
                facts,
                hash,
                () -> {
                    catalog.close();
                    index.close();
                    if (temporary) {
                        delete(home);
                    }
                });
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
