package io.agentprm.lm.checkpoint;

import io.agentprm.api.IoReasons;
import io.agentprm.lm.LanguageModelException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes a directory so that it is seen whole or not at all: under a temporary name beside the
 * target, synced, then renamed.
 */
public final class AtomicDirectory {
    private AtomicDirectory() {}

    /** Fills a directory with files. */
    @FunctionalInterface
    public interface Content {
        void writeTo(Path directory) throws IOException;
    }

    /**
     * Creates {@code target} with the given content. What an interrupted earlier attempt left under
     * the temporary name ({@code .NAME.tmp}) is removed first. An empty directory may be there
     * already.
     *
     * @throws LanguageModelException if the target exists already and is not empty, or cannot be
     *     written
     */
    public static void create(Path target, Content content) {
        Path absolute = target.toAbsolutePath().normalize();
        Path parent = absolute.getParent();
        if (parent == null) {
            throw new IllegalArgumentException(target + " has no parent directory");
        }
        Path temporary = parent.resolve("." + absolute.getFileName() + ".tmp");
        try {
            if (Files.exists(absolute) && !isEmptyDirectory(absolute)) {
                throw new FileAlreadyExistsException(absolute.toString());
            }
            Files.createDirectories(parent);
            deleteTree(temporary);
            Files.createDirectory(temporary);
            fill(temporary, content);
            Files.deleteIfExists(absolute);
            Files.move(temporary, absolute, StandardCopyOption.ATOMIC_MOVE);
            sync(parent);
        } catch (FileAlreadyExistsException e) {
            throw new LanguageModelException(
                    absolute + " exists already; choose another name or remove it", e);
        } catch (IOException e) {
            throw new LanguageModelException(
                    "Cannot write " + absolute + ": " + IoReasons.of(e), e);
        }
    }

    /** What fails half-way is not left on a disk that is full, perhaps. */
    private static void fill(Path temporary, Content content) throws IOException {
        try {
            content.writeTo(temporary);
            syncTree(temporary);
        } catch (IOException | RuntimeException e) {
            try {
                deleteTree(temporary);
            } catch (IOException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
    }

    private static boolean isEmptyDirectory(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            return false;
        }
        try (Stream<Path> entries = Files.list(path)) {
            return entries.findAny().isEmpty();
        }
    }

    private static void syncTree(Path root) throws IOException {
        for (Path path : deepestFirst(root)) {
            sync(path);
        }
    }

    private static void sync(Path path) throws IOException {
        if (Files.isDirectory(path) && !supportsDirectorySync()) {
            return;
        }
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Windows cannot open a directory as a file; its file system journals renames itself. */
    private static boolean supportsDirectorySync() {
        return !System.getProperty("os.name", "").startsWith("Windows");
    }

    private static void deleteTree(Path root) throws IOException {
        if (Files.exists(root)) {
            for (Path path : deepestFirst(root)) {
                Files.delete(path);
            }
        }
    }

    private static List<Path> deepestFirst(Path root) throws IOException {
        try (Stream<Path> walk = Files.walk(root)) {
            return walk.sorted(Comparator.reverseOrder()).toList();
        }
    }
}
