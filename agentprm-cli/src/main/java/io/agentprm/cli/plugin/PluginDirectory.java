package io.agentprm.cli.plugin;

import io.agentprm.core.RunException;
import io.agentprm.core.plugin.Plugins;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * A directory of plugins: each JAR in it, and each of its subdirectories with all JARs inside (a
 * plugin with its libraries), gets a class loader of its own, so that the libraries of one plugin
 * do not meet those of another.
 *
 * @param path the directory; it need not exist
 * @param loaders by name of JAR or subdirectory
 * @param unreadable files that are no JARs, with the reason
 */
public record PluginDirectory(Path path, List<ClassLoader> loaders, List<String> unreadable) {
    /** Set by the launcher: the directory to look in. */
    public static final String PROPERTY = "agentprm.plugins";

    public PluginDirectory {
        loaders = List.copyOf(loaders);
        unreadable = List.copyOf(unreadable);
    }

    /** The directory that the launcher names, else {@code plugins} in the working directory. */
    public static PluginDirectory installed() {
        return open(Path.of(System.getProperty(PROPERTY, "plugins")));
    }

    /**
     * Opens a directory; one that does not exist holds nothing. The loaders stay open for the life
     * of the process.
     *
     * @throws RunException if it cannot be listed
     */
    public static PluginDirectory open(Path directory) {
        List<ClassLoader> loaders = new ArrayList<>();
        List<String> unreadable = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            for (Path entry : sorted(directory)) {
                List<Path> inside = Files.isDirectory(entry) ? sorted(entry) : List.of(entry);
                List<Path> jars = inside.stream().filter(PluginDirectory::isJar).toList();
                List<URL> usable = new ArrayList<>();
                for (Path jar : jars) {
                    addIfReadable(jar, usable, unreadable);
                }
                if (!usable.isEmpty()) {
                    loaders.add(
                            new URLClassLoader(
                                    entry.toString(),
                                    usable.toArray(URL[]::new),
                                    PluginDirectory.class.getClassLoader()));
                }
            }
        }
        return new PluginDirectory(directory, loaders, unreadable);
    }

    /** Everything that can be found here and on the class path. */
    public Plugins discover() {
        return Plugins.discover(loaders);
    }

    private static boolean isJar(Path file) {
        return file.getFileName().toString().endsWith(".jar");
    }

    private static List<Path> sorted(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.sorted().toList();
        } catch (IOException e) {
            throw new RunException("cannot list the plugin directory " + directory, e);
        }
    }

    private static void addIfReadable(Path jar, List<URL> usable, List<String> unreadable) {
        try (ZipFile opened = new ZipFile(jar.toFile())) {
            usable.add(jar.toUri().toURL());
        } catch (MalformedURLException e) {
            unreadable.add(jar + ": " + e.getMessage());
        } catch (IOException e) {
            unreadable.add(jar + " is no readable JAR: " + e.getMessage());
        }
    }
}
