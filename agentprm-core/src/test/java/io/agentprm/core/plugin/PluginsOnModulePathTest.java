package io.agentprm.core.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Where the application's libraries are named modules, the JDK's own class loaders hand them out;
 * plugins must not see them there either. Runs in a JVM of its own.
 */
class PluginsOnModulePathTest {
    private static final String PROBE =
"""
            import io.agentprm.core.plugin.*;
            import java.nio.file.Path;
            import java.util.List;
import java.util.spi.ToolProvider;
            public class Probe {
                public static void main(String[] directory) {
                    try (var directories = PluginDirectories.named(List.of(Path.of(directory[0])))) {
                        Plugins plugins = directories.discover();
                        System.out.println("core " + Plugins.class.getModule());
                        plugins.found().forEach(p -> System.out.println(p.name() + " "
                                + p.provider().getClass().getModule().isNamed() + " "
                                + p.provider().description()));
                        plugins.failures().forEach(f -> System.out.println("failed " + f));
                    }
                }
            }
            """;

    private static final String JACKSON =
            "package com.fasterxml.jackson.databind; public class ObjectMapper {"
                    + " public static String flavour() { return \"bundled\"; } }";

    private static final String FLAVOUR =
            "static String flavour() {"
                    + " return com.fasterxml.jackson.databind.ObjectMapper.flavour(); }";

    private static final String LOOKING =
            """
            static String flavour() {
                try {
                    return "sees " + Class.forName("com.fasterxml.jackson.databind.JsonNode");
                } catch (ClassNotFoundException e) {
                    return "hidden";
                }
            }
            """;

    @TempDir private Path plugins;
    @TempDir private Path work;

    @Test
    void pluginsAreIsolatedFromNamedModulesToo() throws Exception {
        TestJar.in(work)
                .source("maze.Maze", TestJar.provider("maze.Maze", "shaded", FLAVOUR))
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
        modular("modular", FLAVOUR, "requires com.fasterxml.jackson.databind;", lib)
                .write(plugins.resolve("folder/maze.jar"));
        TestJar.in(work)
                .source("maze.Maze", TestJar.provider("maze.Maze", "looking", LOOKING))
                .lists("maze.Maze")
                .write(plugins.resolve("looking.jar"));
        modular("wanting", "", "requires com.fasterxml.jackson.databind;", lib)
                .write(plugins.resolve("wanting.jar"));

        List<String> lines = run();
        assertTrue(lines.contains("core module io.agentprm.core"), lines.toString());
        assertTrue(lines.contains("shaded false bundled"), lines.toString());
        assertTrue(lines.contains("modular true bundled"), lines.toString());
        assertTrue(lines.contains("looking false hidden"), lines.toString());
        List<String> failed = lines.stream().filter(line -> line.startsWith("failed")).toList();
        assertEquals(1, failed.size(), lines.toString());
        assertTrue(failed.get(0).contains("/wanting.jar is not usable"), failed.get(0));
        assertTrue(failed.get(0).contains("not found, required by maze"), failed.get(0));
    }

    private TestJar modular(String name, String body, String requires, Path lib)
            throws IOException {
        return TestJar.in(work)
                .source("maze.Maze", TestJar.provider("maze.Maze", name, body))
                .against(lib)
                .module(
                        "module maze { requires io.agentprm.api; exports maze; "
                                + requires
                                + " provides io.agentprm.api.plugin.EnvironmentProvider"
                                + " with maze.Maze; }");
    }

    private List<String> run() throws Exception {
        Path source = Files.writeString(work.resolve("Probe.java"), PROBE);
        String path = modulePath();
        assertEquals(
                0,
                ToolProvider.findFirst("javac")
                        .orElseThrow()
                        .run(System.err, System.err, "-proc:none", "-cp", path, source.toString()));
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx128m",
                                "-XX:TieredStopAtLevel=1",
                                "--module-path",
                                path,
                                "--add-modules",
                                "io.agentprm.core",
                                "-cp",
                                work.toString(),
                                "Probe",
                                plugins.toString())
                        .redirectErrorStream(true)
                        .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), text);
        return text.lines().toList();
    }

    /** What core needs of this test's class path. */
    private static String modulePath() {
        Stream<Path> ours = Stream.of(TestJar.path(Plugins.class));
        Stream<Path> shared = SharedClasses.MODULES.values().stream().map(TestJar::path);
        Path jackson = TestJar.path(ObjectMapper.class);
        Stream<Path> libraries =
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .filter(e -> e.contains("jackson-") || e.contains("snakeyaml"))
                        .map(Path::of);
        return Stream.of(ours, shared, Stream.of(jackson), libraries)
                .flatMap(paths -> paths)
                .distinct()
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }
}
