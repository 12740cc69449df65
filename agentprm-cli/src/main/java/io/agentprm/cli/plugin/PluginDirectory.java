package io.agentprm.cli.plugin;

import io.agentprm.core.RunException;
import io.agentprm.core.plugin.Plugins;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.InvalidModuleDescriptorException;
import java.lang.module.ModuleDescriptor;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
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

    /**
     * The directory that the launcher names, else {@code plugins} in the working directory.
     *
     * @throws RunException if it cannot be listed, or {@code AGENTPRM_PLUGINS} names none
     */
    public static PluginDirectory installed() {
        Path directory = Path.of(System.getProperty(PROPERTY, "plugins"));
        return directory.toString().equals(System.getenv("AGENTPRM_PLUGINS"))
                ? named(directory)
                : open(directory);
    }

    /**
     * Opens a directory that somebody asked for by name.
     *
     * @throws RunException if there is none, or it cannot be listed
     */
    public static PluginDirectory named(Path directory) {
        if (!Files.exists(directory)) {
            throw new RunException(
                    "there is no plugin directory "
                            + directory
                            + "; correct --plugins or AGENTPRM_PLUGINS, or make it");
        }
        return open(directory);
    }

    /**
     * Opens a directory; one that does not exist holds nothing. The loaders stay open for the life
     * of the process.
     *
     * @throws RunException if it is a file or cannot be listed
     */
    public static PluginDirectory open(Path directory) {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new RunException(
                    directory
                            + " is no plugin directory but a file; name the directory that holds"
                            + " the JARs");
        }
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
        return Plugins.discover(loaders, unreadable);
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

    /**
     * Providers of a module that a class loader does not find, since only the module's descriptor
     * names them.
     */
    private static List<String> unlisted(Path jar, ZipFile opened) throws IOException {
        ZipEntry descriptor = opened.getEntry("module-info.class");
        if (descriptor == null) {
            return List.of();
        }
        List<String> problems = new ArrayList<>();
        try (InputStream in = opened.getInputStream(descriptor)) {
            for (ModuleDescriptor.Provides provides : ModuleDescriptor.read(in).provides()) {
                String file = "META-INF/services/" + provides.service();
                if (provides.service().startsWith("io.agentprm.")
                        && opened.getEntry(file) == null) {
                    problems.add(
                            jar
                                    + ": its module provides "
                                    + String.join(", ", provides.providers())
                                    + ", but plugins are found by "
                                    + file
                                    + "; add that file, one class name a line");
                }
            }
        } catch (InvalidModuleDescriptorException e) {
            problems.add(jar + ": its module-info.class is damaged: " + e.getMessage());
        }
        return problems;
    }

    private static void addIfReadable(Path jar, List<URL> usable, List<String> unreadable) {
        try (ZipFile opened = new ZipFile(jar.toFile())) {
            usable.add(jar.toUri().toURL());
            unlisted(jar, opened).forEach(unreadable::add);
        } catch (MalformedURLException e) {
            unreadable.add(jar + ": " + e.getMessage());
        } catch (IOException e) {
            unreadable.add(jar + " is no readable JAR: " + e.getMessage());
        }
    }
}
