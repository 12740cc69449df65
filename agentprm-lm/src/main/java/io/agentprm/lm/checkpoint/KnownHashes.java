package io.agentprm.lm.checkpoint;

import io.agentprm.api.IoReasons;
import io.agentprm.lm.LanguageModelException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Hashes of directories whose files were read before and are the same by size, time of change and
 * identity. Weights have gigabytes, and those of a base are asked for with each of its adapters.
 * Thread-safe.
 */
final class KnownHashes {
    /** Of this process. */
    static final KnownHashes WEIGHTS = new KnownHashes(Clock.systemUTC());

    /**
     * A file that was changed less than this ago is not trusted: the next change might come within
     * the same tick of the file system's clock.
     */
    private static final Duration SETTLED = Duration.ofSeconds(3);

    private record State(String name, long size, FileTime changed, Optional<Object> identity) {}

    private record Known(List<State> files, String hash) {}

    private final Clock clock;
    private final Map<Path, Known> byDirectory = new ConcurrentHashMap<>();

    KnownHashes(Clock clock) {
        this.clock = clock;
    }

    /**
     * What {@link ContentHash#of(Path, Predicate)} gives; the condition is the same at every call.
     *
     * @throws LanguageModelException if something cannot be read
     */
    String of(Path directory, Predicate<String> which) {
        Path key = directory.toAbsolutePath().normalize();
        try {
            List<State> files = states(key, which);
            Known known = byDirectory.get(key);
            if (known != null && known.files().equals(files)) {
                return known.hash();
            }
            String hash = ContentHash.of(key, which);
            if (settled(files) && files.equals(states(key, which))) {
                byDirectory.put(key, new Known(files, hash));
            }
            return hash;
        } catch (IOException e) {
            throw new LanguageModelException(
                    "Cannot hash " + directory + ": " + IoReasons.of(e), e);
        }
    }

    private boolean settled(List<State> files) {
        FileTime latest = FileTime.from(clock.instant().minus(SETTLED));
        return files.stream().allMatch(file -> file.changed().compareTo(latest) < 0);
    }

    private static List<State> states(Path directory, Predicate<String> which) throws IOException {
        List<State> states = new ArrayList<>();
        for (String name : ContentHash.names(directory, which)) {
            BasicFileAttributes file =
                    Files.readAttributes(directory.resolve(name), BasicFileAttributes.class);
            states.add(
                    new State(
                            name,
                            file.size(),
                            file.lastModifiedTime(),
                            Optional.ofNullable(file.fileKey())));
        }
        return states;
    }
}
