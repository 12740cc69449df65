package io.agentprm.cli.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.AgentPrmException;
import io.agentprm.api.plugin.EnvironmentProvider;
import io.agentprm.core.RunException;
import io.agentprm.core.plugin.Plugins;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PluginsCommandTest {
    private static final String MAZE =
            """
            import io.agentprm.api.config.Default;
            import io.agentprm.api.config.Description;
            import io.agentprm.api.env.Environment;
            import io.agentprm.api.plugin.EnvironmentProvider;
            import io.agentprm.api.run.RunContext;
            public class Maze implements EnvironmentProvider<Maze.Config> {
                public record Config(
                        @Description("Side of the maze in cells.") @Default("9") int side) {}
                public String name() { return "maze"; }
                public String description() { return "A maze."; }
                public Class<Config> configuration() { return Config.class; }
                public Environment create(Config configuration, RunContext context) {
                    throw new UnsupportedOperationException();
                }
            }
            """;

    private static final Map<String, Supplier<String>> SEEN =
            Map.of(
                    "-cp",
                    () -> System.getProperty("java.class.path"),
                    "--module-path",
                    () ->
                            EnvironmentProvider.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .getPath());

    @TempDir private Path directory;
    @TempDir private Path work;

    @Test
    void jarInTheDirectoryIsListedWithItsPlace() throws IOException {
        Path jar = mazeJar(directory.resolve("maze.jar"));
        String text = run("--plugins", directory.toString());
        assertTrue(text.lines().anyMatch(l -> l.matches("environment +maze +ok .*")), text);
        assertTrue(text.contains(jar.getFileName().toString()), text);
    }

    @Test
    void subdirectoryHoldsAPluginWithItsLibraries() throws IOException {
        mazeJar(Files.createDirectory(directory.resolve("maze")).resolve("maze-1.0.jar"));
        assertTrue(run("--plugins", directory.toString()).contains("maze"));
    }

    @Test
    void brokenJarIsReportedAndStopsNobodyElse() throws IOException {
        mazeJar(directory.resolve("maze.jar"));
        Path broken = directory.resolve("broken.jar");
        Files.writeString(broken, "no archive");
        String text = run("--plugins", directory.toString());
        assertTrue(text.contains("failed: " + broken), text);
        assertTrue(text.lines().anyMatch(l -> l.matches("environment +maze +ok .*")), text);
    }

    @Test
    void absentDirectoryHoldsNothing() {
        assertEquals(List.of(), PluginDirectory.open(directory.resolve("none")).loaders());
    }

    @Test
    void aModuleWithoutServiceFileIsReportedWithTheFileThatIsMissing() throws IOException {
        Path source = work.resolve("module-info.java");
        Files.writeString(
                source,
                "module maze { requires io.agentprm.api;"
                        + " provides io.agentprm.api.plugin.EnvironmentProvider with maze.Maze; }");
        Path maze = Files.createDirectory(work.resolve("maze")).resolve("Maze.java");
        Files.writeString(maze, "package maze;\n" + MAZE);
        compile("--module-path", source, maze);
        Path jar = directory.resolve("maze.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            out.putNextEntry(new JarEntry("module-info.class"));
            out.write(Files.readAllBytes(work.resolve("module-info.class")));
        }
        String text = run("--plugins", directory.toString());
        assertTrue(text.contains("provides maze.Maze, but"), text);
        assertTrue(text.contains("META-INF/services/io.agentprm.api.plugin"), text);
    }

    @Test
    void aDirectoryThatIsNamedMustBeOne() throws IOException {
        Path none = directory.resolve("none");
        assertTrue(refused(() -> PluginDirectory.named(none)).contains("no plugin directory"));
        Path file = Files.writeString(directory.resolve("file"), "x");
        assertTrue(refused(() -> PluginDirectory.named(file)).contains("but a file"));
        assertTrue(refused(() -> PluginDirectory.open(file)).contains("but a file"));
    }

    private static String refused(Executable opening) {
        return assertThrows(RunException.class, opening).getMessage();
    }

    @Test
    void nameShowsSettingsWithDefaultAndMeaning() throws IOException {
        mazeJar(directory.resolve("maze.jar"));
        String text = run("--plugins", directory.toString(), "maze");
        assertTrue(text.contains("A maze."));
        assertTrue(text.contains("side = 9\n    An integer. Side of the maze in cells.\n"), text);
    }

    @Test
    void unknownNameSaysWhatThereIs() {
        CommandLine line = new CommandLine(new PluginsCommand());
        line.setExecutionExceptionHandler(
                (error, command, parsed) -> {
                    throw error;
                });
        PluginsCommand command = line.getCommand();
        line.parseArgs("nothing-of-that-name");
        AgentPrmException error = assertThrows(AgentPrmException.class, command::run);
        assertTrue(error.getMessage().contains("best-of-n"), error.getMessage());
    }

    @Test
    void markdownDocumentsEveryProvider() {
        Plugins plugins = Plugins.discover();
        String text = SettingsPage.markdown(plugins);
        plugins.found().forEach(p -> assertTrue(text.contains("### `" + p.name() + "`"), p.name()));
    }

    private static String run(String... arguments) {
        StringWriter out = new StringWriter();
        int code =
                new CommandLine(new PluginsCommand())
                        .setOut(new PrintWriter(out, true))
                        .execute(arguments);
        assertEquals(0, code);
        return out.toString();
    }

    /** Compiles against what this test sees, on the class path or the module path. */
    private void compile(String path, Path... sources) {
        List<String> arguments =
                new ArrayList<>(
                        List.of("-proc:none", path, SEEN.get(path).get(), "-d", work.toString()));
        for (Path source : sources) {
            arguments.add(source.toString());
        }
        assertEquals(
                0,
                ToolProvider.findFirst("javac")
                        .orElseThrow()
                        .run(System.out, System.err, arguments.toArray(String[]::new)));
    }

    private Path mazeJar(Path jar) throws IOException {
        Path source = work.resolve("Maze.java");
        Files.writeString(source, MAZE);
        compile("-cp", source);
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            for (String name : List.of("Maze.class", "Maze$Config.class")) {
                out.putNextEntry(new JarEntry(name));
                out.write(Files.readAllBytes(work.resolve(name)));
            }
            out.putNextEntry(
                    new JarEntry("META-INF/services/" + EnvironmentProvider.class.getName()));
            out.write("Maze\n".getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }
}
