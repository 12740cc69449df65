package io.agentprm.core.run;

import io.agentprm.api.IoReasons;
import io.agentprm.core.RunException;
import io.agentprm.core.config.ConfigBinder;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.files.DurableFiles;
import io.agentprm.core.files.ProcessLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of a run on disk: {@code config.yaml} (as resolved), {@code run.json} (identity, seed,
 * versions), and one directory for each {@link Stage}. Opening an existing one continues it. Held
 * by one process at a time. What an interrupted write left under a temporary name is replaced when
 * that file or stage is written again; nothing else is ever deleted.
 */
public final class RunDirectory implements AutoCloseable {
    /** Held by the process that writes the directory. */
    static final String LOCK = "run.lock";

    /** The configuration as resolved. */
    public static final String CONFIG = "config.yaml";

    /** Identity, seed and versions. */
    public static final String INFO = "run.json";

    private static final Logger LOG = LoggerFactory.getLogger(RunDirectory.class);
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Path path;
    private RunInfo info;
    private final ProcessLock lock;
    private final DurableFiles files;

    private RunDirectory(Path path, RunInfo info, ProcessLock lock, DurableFiles files) {
        this.path = path;
        this.info = info;
        this.lock = lock;
        this.files = files;
    }

    /**
     * Opens a run directory, new or existing.
     *
     * @param config configuration as resolved; an existing directory must have been made with the
     *     same
     * @param seed root seed of a new run
     * @param versions versions that a new run records; a resumed one that differs is warned about
     * @throws RunException if another process holds it, or it belongs to another configuration: the
     *     message lists the keys that differ
     */
    public static RunDirectory open(
            Path path,
            ConfigNode config,
            long seed,
            Map<String, String> versions,
            Clock clock,
            DurableFiles files) {
        return open(path, config, Set.of(), seed, versions, clock, files);
    }

    /**
     * Opens a run directory, new or existing, where some keys change no result.
     *
     * @param harmless keys of the configuration that may differ from the existing directory's,
     *     which keeps those that it was started with
     * @throws RunException as {@link #open(Path, ConfigNode, long, Map, Clock, DurableFiles)}
     */
    public static RunDirectory open(
            Path path,
            ConfigNode config,
            Set<String> harmless,
            long seed,
            Map<String, String> versions,
            Clock clock,
            DurableFiles files) {
        try {
            Files.createDirectories(path);
        } catch (IOException e) {
            throw new RunException(path + ": cannot be made: " + IoReasons.of(e), e);
        }
        ProcessLock lock = ProcessLock.take(path.resolve(LOCK), path);
        try {
            settleConfig(path, config, harmless, files);
            RunInfo info = settleInfo(path, seed, versions, clock, files);
            return new RunDirectory(path, info, lock, files);
        } catch (RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    /** The configuration that an existing run was made with. */
    public static ConfigNode config(Path path) {
        return ConfigNode.read(path.resolve(CONFIG));
    }

    /** Identity of an existing run. */
    public static RunInfo info(Path path) {
        return ConfigBinder.tolerant().bind(ConfigNode.read(path.resolve(INFO)), RunInfo.class);
    }

    public Path path() {
        return path;
    }

    public RunInfo info() {
        return info;
    }

    public DurableFiles files() {
        return files;
    }

    /**
     * A stage of this run.
     *
     * @param name path of its directory below the run's, of lower-case letters, digits, hyphens and
     *     slashes, such as {@code iteration-1/rollouts}
     */
    public Stage stage(String name) {
        if (!name.matches("[a-z0-9-]+(/[a-z0-9-]+)*")) {
            throw new IllegalArgumentException(
                    "a stage is named with a-z, 0-9, hyphens and slashes, not '" + name + "'");
        }
        return new Stage(name, path.resolve(name), files);
    }

    /**
     * Records more versions, which are known once engines are open. A run that has begun keeps what
     * it has, and a version that differs is warned about; nothing is added to it, since what its
     * stages ran on is not known.
     */
    public void record(Map<String, String> more) {
        if (!isBare(path)) {
            warnOfOther(path, info, more);
            return;
        }
        SortedMap<String, String> all = new TreeMap<>(info.versions());
        all.putAll(more);
        if (!all.equals(info.versions())) {
            info = new RunInfo(info.id(), info.created(), info.seed(), all);
            write(INFO, ConfigBinder.strict().unbind(info).toJson());
        }
    }

    /** Writes a file of the run that is made anew each time, such as its report. */
    public void write(String name, String text) {
        files.write(path.resolve(name), text);
    }

    @Override
    public void close() {
        lock.close();
    }

    private static void settleConfig(
            Path path, ConfigNode config, Set<String> harmless, DurableFiles files) {
        Path file = path.resolve(CONFIG);
        if (Files.exists(file)) {
            requireSame(path, config, harmless);
            if (differing(path, config, harmless).isEmpty()) {
                return;
            }
            try {
                Files.deleteIfExists(path.resolve(INFO));
            } catch (IOException e) {
                throw new RunException(path + ": cannot be begun anew: " + IoReasons.of(e), e);
            }
        }
        files.write(file, config.toYaml());
    }

    /**
     * Complains if the run that is there was made with another configuration. One of which nothing
     * is there yet was refused at its start, for a wrong path perhaps, and is begun anew.
     */
    static void requireSame(Path path, ConfigNode config, Set<String> harmless) {
        List<String> differing = differing(path, config, harmless);
        if (!differing.isEmpty() && !isBare(path)) {
            throw new RunException(
                    path
                            + " holds a run with another configuration:\n  "
                            + String.join("\n  ", differing)
                            + "\nchoose another directory, or give the configuration it was started"
                            + " with");
        }
    }

    private static List<String> differing(Path path, ConfigNode config, Set<String> harmless) {
        // Both go through text, so that notation does not count.
        return Differences.between(
                without(harmless, config(path)),
                without(harmless, ConfigNode.parse(config.toYaml(), "now")));
    }

    private static boolean isBare(Path path) {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .allMatch(
                            name ->
                                    List.of(CONFIG, INFO, LOCK).contains(name)
                                            || name.startsWith(DurableFiles.TEMPORARY));
        } catch (IOException e) {
            throw new RunException(path + ": cannot be listed: " + IoReasons.of(e), e);
        }
    }

    private static ConfigNode without(Set<String> keys, ConfigNode node) {
        return node instanceof ConfigNode.Entries entries ? entries.without(keys) : node;
    }

    private static RunInfo settleInfo(
            Path path, long seed, Map<String, String> versions, Clock clock, DurableFiles files) {
        Path file = path.resolve(INFO);
        if (Files.exists(file)) {
            RunInfo info = info(path);
            warnOfOther(path, info, versions);
            return info;
        }
        RunInfo info =
                new RunInfo(
                        "run-" + STAMP.format(clock.instant()),
                        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString(),
                        seed,
                        versions);
        files.write(file, ConfigBinder.strict().unbind(info).toJson());
        return info;
    }

    /** What the run does not know of itself is no other version. */
    private static void warnOfOther(Path path, RunInfo info, Map<String, String> versions) {
        SortedMap<String, String> changed = new TreeMap<>(info.versions());
        changed.entrySet()
                .removeIf(
                        known ->
                                known.getValue()
                                        .equals(
                                                versions.getOrDefault(
                                                        known.getKey(), known.getValue())));
        if (!changed.isEmpty()) {
            LOG.warn(
                    "{} was started with {}, which is another now: numbers may differ from an"
                            + " undisturbed run",
                    path,
                    changed);
        }
    }
}
