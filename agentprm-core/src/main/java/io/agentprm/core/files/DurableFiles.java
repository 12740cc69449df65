package io.agentprm.core.files;

import io.agentprm.api.IoReasons;
import io.agentprm.core.RunException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Writes under a temporary name, syncs, renames. A process killed at any moment leaves either the
 * old state or the new one, and perhaps a temporary file, whose name starts with {@link
 * #TEMPORARY}.
 */
public final class DurableFiles {
    /** Beginning of the names of files that are not complete. */
    public static final String TEMPORARY = ".tmp-";

    /** Writes something into a path that does not exist yet. */
    @FunctionalInterface
    public interface Content {
        void writeTo(Path path) throws IOException;
    }

    private final Consumer<String> boundary;

    private DurableFiles(Consumer<String> boundary) {
        this.boundary = boundary;
    }

    public static DurableFiles standard() {
        return new DurableFiles(what -> {});
    }

    /**
     * Files with an observer that is called before each step that reaches the disk. One that throws
     * has the effect of a kill at that moment: tests of resuming use it.
     */
    public static DurableFiles observed(Consumer<String> boundary) {
        return new DurableFiles(boundary);
    }

    /** Writes one file. An existing one is replaced in one step. */
    public void write(Path target, Content content) {
        Path temporary = temporary(target);
        try {
            boundary.accept("write " + target);
            Files.deleteIfExists(temporary);
            content.writeTo(temporary);
            rename(temporary, target);
        } catch (IOException e) {
            throw new RunException(target + ": cannot be written: " + IoReasons.of(e), e);
        }
    }

    /** Writes one file of UTF-8 text. */
    public void write(Path target, String text) {
        // Not writeString, which refuses half a character; agents and environments write anything.
        write(target, path -> Files.write(path, text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Syncs everything under a finished temporary path and gives it its name. */
    public void rename(Path temporary, Path target) {
        try {
            sync(temporary);
            boundary.accept("rename " + target);
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
            boundary.accept("renamed " + target);
            syncOne(target.toAbsolutePath().getParent());
        } catch (IOException e) {
            throw new RunException(
                    target + ": cannot be renamed from " + temporary + ": " + IoReasons.of(e), e);
        }
    }

    /**
     * Completes a directory that was written under a temporary name: writes its manifest, syncs
     * everything, gives it its name.
     */
    public void complete(Path temporary, Path target, String title) {
        Manifest.write(temporary, title, this);
        rename(temporary, target);
    }

    /** The name under which something is written before it is complete. */
    public static Path temporary(Path target) {
        return target.resolveSibling(TEMPORARY + target.getFileName());
    }

    /** Removes temporary files and directories directly in a directory. */
    public static void removeTemporaries(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            List<Path> left =
                    entries.filter(entry -> entry.getFileName().toString().startsWith(TEMPORARY))
                            .toList();
            left.forEach(DurableFiles::delete);
        } catch (NoSuchFileException e) {
            return;
        } catch (IOException e) {
            throw new RunException(directory + ": cannot be listed: " + IoReasons.of(e), e);
        }
    }

    /** Deletes a file or a directory with all it holds; absent is fine. */
    public static void delete(Path path) {
        try {
            if (Files.notExists(path)) {
                return;
            }
            Files.walkFileTree(
                    path,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                                throws IOException {
                            Files.delete(file);
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult postVisitDirectory(Path directory, IOException e)
                                throws IOException {
                            Files.delete(directory);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw new RunException(path + ": cannot be deleted: " + IoReasons.of(e), e);
        }
    }

    private void sync(Path path) throws IOException {
        List<Path> all;
        try (Stream<Path> paths = Files.walk(path)) {
            all = paths.sorted().toList();
        }
        for (Path each : all) {
            boundary.accept("sync " + each);
            syncOne(each);
        }
    }

    private static void syncOne(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                channel.force(true);
            } catch (IOException e) {
                // Some systems cannot open directories; their renames are durable without.
                return;
            }
        } else {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
        }
    }
}
