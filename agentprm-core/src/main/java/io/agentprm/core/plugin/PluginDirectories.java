package io.agentprm.core.plugin;

import io.agentprm.api.ApiVersion;
import io.agentprm.api.IoReasons;
import io.agentprm.core.RunException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Directories of plugins. Each JAR in one, and each of its folders with all JARs inside (a plugin
 * with its libraries), is one plugin with a class loader of its own: it sees the JDK, the API,
 * SLF4J and itself, so that its libraries meet neither ours nor those of another plugin. Where all
 * its JARs are modules, it is a module layer; else it is a class path, on which a module's {@code
 * provides} count as much as {@code META-INF/services}.
 *
 * <p>A plugin that cannot be opened, such as one with a broken JAR or for another version of the
 * API, is reported by {@link #discover} and stops nobody else. Thread-safe. Closing closes the
 * JARs; what was made by the plugins is to be closed before.
 */
public final class PluginDirectories implements AutoCloseable {
    private final List<Path> paths;
    private final List<PluginClassLoader> loaders = new ArrayList<>();
    private final List<PluginFailure> failures = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<String> empty = new ArrayList<>();

    private PluginDirectories(List<Path> paths) {
        this.paths = List.copyOf(paths);
        // All before any is opened, since nobody would close it.
        paths.forEach(PluginDirectories::requireDirectory);
        Set<Path> seen = new HashSet<>();
        for (Path path : paths) {
            if (!Files.exists(path)) {
                empty.add(path + " (not there)");
            } else if (seen.add(real(path))) {
                search(path);
            }
        }
    }

    /** Paths in a text such as {@code one:two}, by the separator of the operating system. */
    public static List<Path> parse(String list) {
        return Stream.of(list.split(File.pathSeparator))
                .filter(path -> !path.isBlank())
                .map(Path::of)
                .toList();
    }

    /**
     * Opens directories that somebody asked for by name.
     *
     * @throws RunException if one does not exist, is a file or cannot be listed
     */
    public static PluginDirectories named(List<Path> paths) {
        for (Path path : paths) {
            if (!Files.exists(path)) {
                throw new RunException(
                        "there is no plugin directory "
                                + path
                                + "; correct --plugins or AGENTPRM_PLUGINS, or make it");
            }
        }
        return open(paths);
    }

    /**
     * Opens directories; one that does not exist holds nothing.
     *
     * @param paths in the order in which names are taken
     * @throws RunException if one is a file or cannot be listed
     */
    public static PluginDirectories open(List<Path> paths) {
        return new PluginDirectories(paths);
    }

    /** The directories, in order. */
    public List<Path> paths() {
        return paths;
    }

    /** What is no failure and still worth telling the author of a plugin, a sentence each. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** Everything that can be found where the API was loaded from, then here. */
    public Plugins discover() {
        return Plugins.discover(List.copyOf(loaders), failures, empty);
    }

    /**
     * Closes the JARs. Classes that were not loaded before cannot be loaded any more.
     *
     * @throws RunException if a JAR cannot be closed; the others are
     */
    @Override
    public void close() {
        RunException failed = null;
        for (PluginClassLoader loader : loaders) {
            try {
                loader.close();
            } catch (IOException e) {
                failed = new RunException("cannot close the plugin " + loader, e);
            }
        }
        if (failed != null) {
            throw failed;
        }
    }

    private static void requireDirectory(Path path) {
        if (!Files.exists(path)) {
            return;
        }
        if (!Files.isDirectory(path)) {
            throw new RunException(
                    path
                            + " is no plugin directory but a file; name the directory that holds"
                            + " the JARs");
        }
        sorted(path);
    }

    /** One directory has many names; its plugins must not meet themselves. */
    private static Path real(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException e) {
            throw new RunException(
                    "cannot open the plugin directory " + directory + ": " + IoReasons.of(e), e);
        }
    }

    private void search(Path directory) {
        int before = loaders.size() + failures.size();
        for (Path entry : sorted(directory)) {
            if (Files.isDirectory(entry)) {
                addFolder(entry);
            } else if (isJar(entry)) {
                add(entry, List.of(entry));
            }
        }
        if (loaders.size() + failures.size() == before) {
            empty.add(directory + " (no plugin)");
            notes.add(
                    directory + " holds no plugin: no JAR, and no folder with JARs directly in it");
        }
    }

    private void addFolder(Path folder) {
        try {
            List<Path> jars = sorted(folder).stream().filter(PluginDirectories::isJar).toList();
            if (!jars.isEmpty()) {
                add(folder, jars);
            } else {
                deeper(folder)
                        .ifPresent(
                                jar ->
                                        notes.add(
                                                folder
                                                        + " is no plugin: its JARs must lie directly"
                                                        + " in it, but "
                                                        + folder.relativize(jar)
                                                        + " lies deeper"));
            }
        } catch (RunException e) {
            failures.add(PluginFailure.of(folder, e));
        }
    }

    /** A JAR below a folder that holds none itself, such as in {@code lib}. */
    private static Optional<Path> deeper(Path folder) {
        try (Stream<Path> below = Files.find(folder, 3, (file, a) -> isJar(file))) {
            return below.sorted().findFirst();
        } catch (IOException | UncheckedIOException e) {
            // What cannot be listed says nothing; the folder is no plugin either way.
            return Optional.empty();
        }
    }

    private void add(Path place, List<Path> jars) {
        try {
            PluginUnit unit = PluginUnit.read(place, jars);
            loaders.add(unit.open());
            if (unit.providesNothing()) {
                notes.add(
                        place
                                + " names no provider; list its class in "
                                + ServiceFile.DIRECTORY
                                + "(interface of the provider), or in 'provides' of its"
                                + " module-info");
            } else if (unit.silentOnApi()) {
                notes.add(
                        place
                                + " does not say which API it was built for; its author can, by '"
                                + ApiVersion.ATTRIBUTE
                                + ": "
                                + ApiVersion.current()
                                + "' in the manifest");
            }
        } catch (RunException e) {
            failures.add(PluginFailure.of(place, e));
        }
    }

    private static boolean isJar(Path file) {
        return file.getFileName().toString().toLowerCase(Locale.ROOT).endsWith(".jar")
                && !Files.isDirectory(file);
    }

    /** Entries by name, without hidden ones. */
    private static List<Path> sorted(Path directory) {
        try (Stream<Path> entries = Files.list(directory.toAbsolutePath().normalize())) {
            return entries.filter(entry -> !entry.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new RunException(
                    "cannot list the plugin directory " + directory + ": " + IoReasons.of(e), e);
        }
    }
}
