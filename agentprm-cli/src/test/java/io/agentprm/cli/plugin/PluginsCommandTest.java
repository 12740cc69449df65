package io.agentprm.cli.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.AgentPrmException;
import io.agentprm.core.RunException;
import io.agentprm.core.plugin.PluginDirectories;
import io.agentprm.core.plugin.Plugins;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
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
        assertTrue(text.contains("failed: " + broken + " is not usable: "), text);
        assertTrue(text.lines().anyMatch(l -> l.matches("environment +maze +ok .*")), text);
    }

    @Test
    void theOptionIsAskedBeforeTheVariableAndThatBeforeWhatIsInstalled() throws IOException {
        Path other = Files.createDirectory(work.resolve("other"));
        Path absent = work.resolve("absent");
        String both = directory + File.pathSeparator + other;
        Map<String, String> environment = Map.of("AGENTPRM_PLUGINS", other.toString());
        assertEquals(List.of(directory, other), opened(Optional.of(both), environment, absent));
        assertEquals(List.of(other), opened(Optional.empty(), environment, absent));
        assertEquals(List.of(absent), opened(Optional.empty(), Map.of(), absent));
        assertThrows(
                RunException.class,
                () -> opened(Optional.of(absent.toString()), environment, directory));
    }

    private static List<Path> opened(
            Optional<String> option, Map<String, String> environment, Path installed) {
        try (PluginDirectories directories = PluginOptions.open(option, environment, installed)) {
            return directories.paths();
        }
    }

    @Test
    void nameIsDescribedForEveryKindThatHasIt() throws IOException {
        Path source = work.resolve("Maze.java");
        Files.writeString(source, MAZE);
        Path expert = work.resolve("Expert.java");
        Files.writeString(
                expert,
                MAZE.replace("Maze", "Expert")
                        .replace("EnvironmentProvider", "PolicyProvider")
                        .replace(
                                "public Environment create(Config configuration, RunContext",
                                "public Policy create(Config configuration,"
                                        + " io.agentprm.api.plugin.Components c, RunContext")
                        .replace(
                                "import io.agentprm.api.env.Environment;",
                                "import io.agentprm.api.policy.Policy;"));
        compile(source, expert);
        pack(
                directory.resolve("maze.jar"),
                Map.of("EnvironmentProvider", "Maze", "PolicyProvider", "Expert"));
        String text = run("--plugins", directory.toString(), "maze");
        assertTrue(text.contains("maze (environment, from " + directory.resolve("maze.jar")), text);
        assertTrue(text.contains("maze (policy, from " + directory.resolve("maze.jar")), text);
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

    /** Compiles against what this test sees. */
    private void compile(Path... sources) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-proc:none",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-d",
                                work.toString()));
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
        compile(source);
        return pack(jar, Map.of("EnvironmentProvider", "Maze"));
    }

    /** Packs the compiled classes with service files that name them. */
    private Path pack(Path jar, Map<String, String> providers) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                DirectoryStream<Path> classes = Files.newDirectoryStream(work, "*.class")) {
            for (Path type : classes) {
                out.putNextEntry(new JarEntry(type.getFileName().toString()));
                out.write(Files.readAllBytes(type));
            }
            for (Map.Entry<String, String> provider : providers.entrySet()) {
                String service = "io.agentprm.api.plugin." + provider.getKey();
                out.putNextEntry(new JarEntry("META-INF/services/" + service));
                out.write(provider.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return jar;
    }
}
