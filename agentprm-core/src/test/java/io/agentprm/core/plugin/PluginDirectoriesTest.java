package io.agentprm.core.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.plugin.EnvironmentProvider;
import io.agentprm.core.RunException;
import io.agentprm.testkit.ToyEnvironmentProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is found in plugin directories, in which form, and which of two comes first. */
class PluginDirectoriesTest {
    private static final String MODULE =
            """
            module maze {
                requires io.agentprm.api;
                exports maze;
                provides io.agentprm.api.plugin.EnvironmentProvider with maze.Maze;
            }
            """;

    /** A library that we have in another version, which has no such method. */
    private static final String JACKSON =
            "package com.fasterxml.jackson.databind; public class ObjectMapper {"
                    + " public static String flavour() { return \"bundled\"; } }";

    private static final String FLAVOUR =
            "static String flavour() {"
                    + " return com.fasterxml.jackson.databind.ObjectMapper.flavour(); }";

    @TempDir private Path plugins;
    @TempDir private Path work;

    @Test
    void aPlainJarIsFoundByItsServiceFile() throws IOException {
        TestJar.plain(work, "maze.Maze", "maze").write(plugins.resolve("maze.jar"));
        try (PluginDirectories directories = open()) {
            Plugin<EnvironmentProvider<?>> maze = only(directories.discover(), "maze");
            assertTrue(maze.location().endsWith("maze.jar"), maze.location());
            assertFalse(module(maze).isNamed());
        }
    }

    @Test
    void aModuleIsFoundByItsDescriptorAlone() throws IOException {
        maze().module(MODULE).write(plugins.resolve("maze.jar"));
        try (PluginDirectories directories = open()) {
            Plugin<EnvironmentProvider<?>> maze = only(directories.discover(), "maze");
            assertEquals("maze", module(maze).getName());
            assertTrue(maze.location().endsWith("maze.jar"), maze.location());
        }
    }

    @Test
    void aFolderOfModulesIsOneLayer() throws IOException {
        Path lib =
                TestJar.in(work)
                        .module("module walls { exports walls; requires org.slf4j; }")
                        .source(
                                "walls.Walls",
                                "package walls; public class Walls { public static String n() {"
                                        + " return org.slf4j.event.Level.WARN"
                                        + ".name(); } }")
                        .write(plugins.resolve("maze/walls-1.0.jar"));
        maze("static String flavour() { return walls.Walls.n(); }")
                .against(lib)
                .module(MODULE.replace("exports", "requires walls; exports"))
                .write(plugins.resolve("maze/maze-1.0.jar"));
        try (PluginDirectories directories = open()) {
            Plugin<EnvironmentProvider<?>> maze = only(directories.discover(), "maze");
            assertEquals("WARN", maze.provider().description());
            assertEquals(
                    Set.of("maze", "walls"),
                    names(module(maze).getLayer(), Set.of("io.agentprm.api", "org.slf4j")));
        }
    }

    @Test
    void aModuleBesideAPlainJarIsFoundByItsDescriptorToo() throws IOException {
        Path lib =
                TestJar.in(work)
                        .source("com.fasterxml.jackson.databind.ObjectMapper", JACKSON)
                        .attribute("Automatic-Module-Name", "mapper")
                        .write(plugins.resolve("maze/mapper.jar"));
        maze(FLAVOUR)
                .against(lib)
                .module(MODULE.replace("exports", "requires mapper; exports"))
                .write(plugins.resolve("maze/maze.jar"));
        try (PluginDirectories directories = open()) {
            Plugin<EnvironmentProvider<?>> maze = only(directories.discover(), "maze");
            assertEquals("bundled", maze.provider().description());
            assertTrue(maze.location().endsWith("maze.jar"), maze.location());
        }
    }

    @Test
    void aServiceFileCountsWhereTheDescriptorDoesNotSay() throws IOException {
        maze().module("module maze { requires io.agentprm.api; exports maze; }")
                .lists("maze.Maze")
                .write(plugins.resolve("maze.jar"));
        try (PluginDirectories directories = open()) {
            only(directories.discover(), "maze");
        }
    }

    @Test
    void aPluginHasItsOwnVersionOfALibrary() throws IOException {
        maze(FLAVOUR)
                .source("com.fasterxml.jackson.databind.ObjectMapper", JACKSON)
                .lists("maze.Maze")
                .write(plugins.resolve("shaded.jar"));
        Path lib =
                TestJar.in(work)
                        .module(
                                "module com.fasterxml.jackson.databind {"
                                        + " exports com.fasterxml.jackson.databind; }")
                        .source("com.fasterxml.jackson.databind.ObjectMapper", JACKSON)
                        .write(plugins.resolve("folder/jackson-databind-1.0.jar"));
        TestJar.in(work)
                .source("maze.Maze", TestJar.provider("maze.Maze", "modular", FLAVOUR))
                .against(lib)
                .module(
                        MODULE.replace(
                                "exports", "requires com.fasterxml.jackson.databind; exports"))
                .write(plugins.resolve("folder/maze.jar"));
        try (PluginDirectories directories = open()) {
            Plugins found = directories.discover();
            assertEquals("bundled", only(found, "maze").provider().description());
            assertEquals("bundled", only(found, "modular").provider().description());
            assertEquals(List.of(), found.failures());
        }
    }

    @Test
    void aPluginSeesTheJdkTheApiAndSlf4jOnly() throws Exception {
        TestJar.plain(work, "maze.Maze", "maze").write(plugins.resolve("maze.jar"));
        try (PluginDirectories directories = open()) {
            ClassLoader loader =
                    only(directories.discover(), "maze").provider().getClass().getClassLoader();
            for (String shared :
                    List.of(
                            "java.sql.Driver",
                            "com.sun.source.tree.Tree",
                            "io.agentprm.api.AgentPrmException",
                            "org.slf4j.event.Level")) {
                assertSame(Class.forName(shared), loader.loadClass(shared));
            }
            for (String hidden :
                    List.of(
                            "com.fasterxml.jackson.databind.ObjectMapper",
                            "io.agentprm.core.RunException",
                            "io.agentprm.testkit.ToyEnvironment",
                            "org.junit.jupiter.api.Test")) {
                Class.forName(hidden);
                assertThrows(ClassNotFoundException.class, () -> loader.loadClass(hidden));
            }
        }
    }

    @Test
    void twoPluginsMayHaveClassesOfTheSameNames() throws IOException {
        for (String name : List.of("one", "two")) {
            TestJar.plain(work, "maze.Maze", name).write(plugins.resolve(name + ".jar"));
        }
        try (PluginDirectories directories = open()) {
            Plugins found = directories.discover();
            assertEquals("one", only(found, "one").provider().name());
            assertEquals("two", only(found, "two").provider().name());
        }
    }

    @Test
    void resourcesAreReadFromThePluginInEitherForm() throws IOException {
        String reading =
                """
                static String flavour() {
                    try (var in = Maze.class.getResourceAsStream("walls.txt")) {
                        return new String(in.readAllBytes())
                                + Maze.class.getModule().getResourceAsStream("maze/walls.txt").read();
                    } catch (java.io.IOException e) {
                        throw new IllegalArgumentException(e);
                    }
                }
                """;
        maze(reading)
                .file("maze/walls.txt", "A")
                .lists("maze.Maze")
                .write(plugins.resolve("a.jar"));
        TestJar.in(work)
                .source("maze.Maze", TestJar.provider("maze.Maze", "modular", reading))
                .file("maze/walls.txt", "A")
                .module(MODULE)
                .write(plugins.resolve("b.jar"));
        try (PluginDirectories directories = open()) {
            Plugins found = directories.discover();
            assertEquals("A65", only(found, "maze").provider().description());
            assertEquals("A65", only(found, "modular").provider().description());
        }
    }

    @Test
    void aTakenNameStaysWithTheFirst() throws IOException {
        Path second = work.resolve("second");
        TestJar.plain(work, "maze.Maze", "toy-mdp").write(plugins.resolve("toy.jar"));
        TestJar.plain(work, "maze.Late", "maze").write(second.resolve("a.jar"));
        TestJar.plain(work, "maze.Maze", "maze").write(plugins.resolve("z.jar"));
        try (PluginDirectories directories = PluginDirectories.named(List.of(plugins, second))) {
            Plugins found = directories.discover();
            // The application's own providers are asked first.
            assertTrue(only(found, "toy-mdp").provider().getClass().getName().contains("testkit"));
            assertTrue(only(found, "maze").location().endsWith("z.jar"));
            assertEquals(
                    List.of("toy.jar", "a.jar"),
                    found.failures().stream()
                            .map(failure -> Path.of(failure.location()).getFileName().toString())
                            .toList());
            assertTrue(found.failures().get(1).reason().contains("z.jar, which was found first"));
        }
    }

    @Test
    void everyThreadFindsTheSame() throws Exception {
        TestJar.plain(work, "maze.Maze", "maze").write(plugins.resolve("maze.jar"));
        TestJar.in(work)
                .source("maze.Maze", TestJar.provider("maze.Maze", "modular", ""))
                .module(MODULE)
                .write(plugins.resolve("modular.jar"));
        Files.writeString(plugins.resolve("broken.jar"), "no archive");
        try (PluginDirectories directories = open()) {
            String expected = summary(directories.discover());
            assertTrue(expected.contains("maze") && expected.contains("broken.jar"), expected);
            assertEquals(
                    expected,
                    CompletableFuture.supplyAsync(() -> summary(directories.discover())).get());
            ExecutorService threads = Executors.newFixedThreadPool(16);
            try {
                List<Future<String>> results = new ArrayList<>();
                for (int i = 0; i < 16; i++) {
                    results.add(threads.submit(() -> summary(directories.discover())));
                }
                for (Future<String> result : results) {
                    assertEquals(expected, result.get());
                }
            } finally {
                threads.shutdownNow();
            }
        }
    }

    @Test
    void whatIsNoPluginIsLeftOutOrNoted() throws IOException {
        Files.writeString(plugins.resolve("README.md"), "x");
        Files.writeString(plugins.resolve(".hidden.jar"), "x");
        Files.createDirectory(plugins.resolve("classes"));
        Files.createDirectories(plugins.resolve("deep/lib"));
        Files.writeString(plugins.resolve("deep/lib/maze.jar"), "x");
        try (PluginDirectories directories = open()) {
            assertEquals(List.of(), directories.discover().failures());
            assertEquals(2, directories.notes().size(), directories.notes().toString());
            assertTrue(directories.notes().get(0).contains("deep is no plugin"));
            assertTrue(directories.notes().get(1).startsWith(plugins + " holds no plugin"));
        }
    }

    @Test
    void aJarWithoutAProviderIsNoted() throws IOException {
        maze().write(plugins.resolve("maze.jar"));
        try (PluginDirectories directories = open()) {
            assertEquals(1, directories.notes().size(), directories.notes().toString());
            assertTrue(directories.notes().get(0).contains("maze.jar names no provider"));
        }
    }

    @Test
    void aDirectoryUnderTwoNamesIsSearchedOnce() throws IOException {
        Path real = plugins.resolve("real");
        TestJar.plain(work, "maze.Maze", "maze").write(real.resolve("maze.jar"));
        Path link = Files.createSymbolicLink(plugins.resolve("link"), real);
        List<Path> names = List.of(real, plugins.resolve("real/../real"), link);
        try (PluginDirectories directories = PluginDirectories.named(names)) {
            Plugins found = directories.discover();
            assertEquals(List.of(), found.failures());
            only(found, "maze");
        }
    }

    @Test
    void placesWithoutAPluginAreToldToo() {
        Path none = work.resolve("none");
        try (PluginDirectories directories = PluginDirectories.open(List.of(plugins, none))) {
            assertEquals(
                    List.of(
                            "class path and module path",
                            plugins + " (no plugin)",
                            none + " (not there)"),
                    directories.discover().searched());
        }
    }

    @Test
    void placesAreToldAsPaths() throws IOException {
        Path jar = plugins.resolve("ein Irrgarten/ä+100%.jar");
        maze().lists("maze.Maze", "maze.Vanished").write(jar);
        try (PluginDirectories directories = open()) {
            Plugins found = directories.discover();
            assertEquals(jar.toString(), only(found, "maze").location());
            assertEquals(jar.toString(), found.failures().get(0).location());
        }
    }

    /** As with {@code agentprm-algos} in the folder of a plugin that uses it. */
    @Test
    void aCopyOfOurProvidersInALibraryIsNoFailure() throws IOException {
        String ours = ToyEnvironmentProvider.class.getName();
        TestJar.plain(work, ours, "toy-mdp").write(plugins.resolve("maze/testkit.jar"));
        TestJar.plain(work, "maze.Maze", "toy-mdp").write(plugins.resolve("maze/maze.jar"));
        try (PluginDirectories directories = open()) {
            Plugins found = directories.discover();
            assertSame(
                    ToyEnvironmentProvider.class,
                    found.find(ProviderKind.ENVIRONMENT, "toy-mdp").getClass());
            assertEquals(
                    List.of("maze.Maze"),
                    found.failures().stream().map(PluginFailure::provider).toList());
        }
    }

    @Test
    void aDirectoryThatIsNamedMustBeOne() throws IOException {
        Path none = plugins.resolve("none");
        assertTrue(refused(() -> PluginDirectories.named(List.of(none))).contains("no plugin"));
        assertEquals(List.of(), PluginDirectories.open(List.of(none)).notes());
        Path file = Files.writeString(plugins.resolve("file"), "x");
        assertTrue(refused(() -> PluginDirectories.open(List.of(file))).contains("but a file"));
    }

    @Test
    void listsOfDirectoriesHaveTheSystemsSeparator() {
        assertEquals(
                List.of(Path.of("a"), Path.of("b c")),
                PluginDirectories.parse("a" + java.io.File.pathSeparator + "b c"));
        assertEquals(List.of(), PluginDirectories.parse(""));
    }

    private static String refused(org.junit.jupiter.api.function.Executable opening) {
        return assertThrows(RunException.class, opening).getMessage();
    }

    private PluginDirectories open() {
        return PluginDirectories.named(List.of(plugins));
    }

    private TestJar maze() throws IOException {
        return maze("");
    }

    private TestJar maze(String body) throws IOException {
        return TestJar.in(work).source("maze.Maze", TestJar.provider("maze.Maze", "maze", body));
    }

    private static Module module(Plugin<?> plugin) {
        return plugin.provider().getClass().getModule();
    }

    private static Set<String> names(ModuleLayer layer, Set<String> without) {
        Set<String> names = new TreeSet<>();
        layer.modules().forEach(module -> names.add(module.getName()));
        names.removeAll(without);
        return names;
    }

    private static Plugin<EnvironmentProvider<?>> only(Plugins plugins, String name) {
        List<Plugin<EnvironmentProvider<?>>> named =
                plugins.of(ProviderKind.ENVIRONMENT).stream()
                        .filter(plugin -> plugin.name().equals(name))
                        .toList();
        assertEquals(1, named.size(), name + "; failures: " + plugins.failures());
        return named.get(0);
    }

    private static String summary(Plugins plugins) {
        return plugins.found().stream().map(p -> p.kind() + p.name() + p.location()).toList()
                + " "
                + plugins.failures();
    }
}
