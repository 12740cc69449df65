package io.agentprm.engine.onnx;

import io.agentprm.api.IoReasons;
import io.agentprm.lm.checkpoint.AtomicDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A directory among the system's temporary ones, which is gone when it is closed. Where a system
 * keeps files that are mapped into memory, they go when the process ends. What a killed process
 * left is removed when the next directory is made: the operating system has given up the lock on
 * it, wherever that process ran.
 */
final class PassingDirectory implements AutoCloseable {
    private static final String PREFIX = "agentprm-onnx";
    private static final String LOCK = "lock";

    /** Between the making of a directory and the lock on it. */
    private static final Duration GRACE = Duration.ofMinutes(1);

    /** Of this process: closing another channel to a lock's file would give the lock up. */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private static final String REMEDY =
            ". A model's weights are written there for ONNX Runtime to map into memory; make room,"
                    + " name another place with -Djava.io.tmpdir=DIR, or export the model with"
                    + " ./agentprm export and load that";

    private final Path path;
    private final FileChannel lock;

    private PassingDirectory(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    static PassingDirectory create() {
        Path place = Path.of(System.getProperty("java.io.tmpdir"));
        try {
            removeAbandoned(place);
            Path path = Files.createTempDirectory(place, PREFIX);
            OWN.add(path);
            FileChannel lock =
                    FileChannel.open(
                            path.resolve(LOCK),
                            StandardOpenOption.CREATE_NEW,
                            StandardOpenOption.WRITE);
            lock.lock();
            return new PassingDirectory(path, lock);
        } catch (IOException e) {
            throw failed(place, e);
        }
    }

    private static void removeAbandoned(Path place) throws IOException {
        Instant latest = Instant.now().minus(GRACE);
        try (DirectoryStream<Path> all = Files.newDirectoryStream(place, PREFIX + "*")) {
            for (Path one : all) {
                if (!OWN.contains(one)) {
                    removeIfAbandoned(one, latest);
                }
            }
        }
    }

    private static void removeIfAbandoned(Path directory, Instant latest) {
        try (FileChannel lock =
                FileChannel.open(directory.resolve(LOCK), StandardOpenOption.WRITE)) {
            boolean old =
                    Files.getLastModifiedTime(directory.resolve(LOCK)).toInstant().isBefore(latest);
            if (old && lock.tryLock() != null) {
                remove(directory);
            }
        } catch (IOException e) {
            // Another user's, or gone by now: nobody here can or need remove it.
            return;
        }
    }

    private static OnnxEngineException failed(Path place, IOException e) {
        return new OnnxEngineException(
                "cannot write below " + place + ": " + IoReasons.of(e) + REMEDY, e);
    }

    Path path() {
        return path;
    }

    /**
     * @throws OnnxEngineException if the content cannot be written
     */
    void fill(AtomicDirectory.Content content) {
        try {
            content.writeTo(path);
        } catch (IOException e) {
            throw failed(path, e);
        }
    }

    @Override
    public void close() {
        try (lock) {
            remove(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            OWN.remove(path);
        }
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            files.forEach(PassingDirectory::delete);
        }
        delete(directory);
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            file.toFile().deleteOnExit();
        }
    }
}
