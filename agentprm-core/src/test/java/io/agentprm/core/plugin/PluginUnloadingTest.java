package io.agentprm.core.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closing gives the files back, and what was loaded from them can be collected. */
class PluginUnloadingTest {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    /** Reads a resource by its URL, which leaves a JAR in the JVM's cache if nothing is done. */
    private static final String READING =
            """
            static String flavour() {
                try (var in = Maze.class.getResource("walls.txt").openStream()) {
                    return new String(in.readAllBytes());
                } catch (java.io.IOException e) {
                    throw new IllegalArgumentException(e);
                }
            }
            """;

    @TempDir private Path plugins;
    @TempDir private Path work;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void closedJarsAreOpenNowhereAndCanBeDeleted(boolean module) throws IOException {
        assumeTrue(Files.isDirectory(DESCRIPTORS), "needs /proc");
        Path jar = jar(module);
        try (PluginDirectories directories = PluginDirectories.named(List.of(plugins))) {
            use(directories);
            assertTrue(open(jar), "the test would prove nothing");
        }
        assertFalse(open(jar));
        Files.delete(jar);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void failedPluginsAreOpenNowhereEither(boolean module) throws IOException {
        assumeTrue(Files.isDirectory(DESCRIPTORS), "needs /proc");
        Path lib =
                TestJar.in(work)
                        .module("module absent { exports absent; }")
                        .source("absent.Absent", "package absent; public class Absent {}")
                        .write(work.resolve("absent.jar"));
        TestJar jar =
                TestJar.in(work).source("maze.Maze", TestJar.provider("maze.Maze", "maze", ""));
        Path path =
                (module
                                ? jar.against(lib).module(descriptor("requires absent;"))
                                : jar.lists("maze.Vanished"))
                        .write(plugins.resolve("maze.jar"));
        try (PluginDirectories directories = PluginDirectories.named(List.of(plugins))) {
            assertEquals(1, directories.discover().failures().size());
        }
        assertFalse(open(path));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void loadersCanBeCollected(boolean module) throws Exception {
        jar(module);
        WeakReference<ClassLoader> loader = usedAndClosed();
        for (int i = 0; i < 50 && loader.get() != null; i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertTrue(loader.get() == null, "something still holds the plugin's loader");
    }

    private WeakReference<ClassLoader> usedAndClosed() {
        try (PluginDirectories directories = PluginDirectories.named(List.of(plugins))) {
            return new WeakReference<>(use(directories));
        }
    }

    private static ClassLoader use(PluginDirectories directories) {
        var provider = directories.discover().find(ProviderKind.ENVIRONMENT, "maze");
        assertEquals("A", provider.description());
        return provider.getClass().getClassLoader();
    }

    private Path jar(boolean module) throws IOException {
        TestJar jar =
                TestJar.in(work)
                        .source("maze.Maze", TestJar.provider("maze.Maze", "maze", READING))
                        .file("maze/walls.txt", "A");
        return (module ? jar.module(descriptor("")) : jar.lists("maze.Maze"))
                .write(plugins.resolve("maze.jar"));
    }

    private static String descriptor(String more) {
        return "module maze { requires io.agentprm.api; exports maze; "
                + more
                + " provides io.agentprm.api.plugin.EnvironmentProvider with maze.Maze; }";
    }

    private static boolean open(Path jar) throws IOException {
        Path real = jar.toRealPath();
        try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
            return descriptors.anyMatch(descriptor -> isFile(descriptor, real));
        }
    }

    private static boolean isFile(Path descriptor, Path file) {
        try {
            return Files.readSymbolicLink(descriptor).equals(file);
        } catch (IOException e) {
            // The descriptor of the listing itself is gone by now.
            return false;
        }
    }
}
