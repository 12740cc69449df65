package io.agentprm.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.AgentPrmException;
import io.agentprm.cli.plugin.PluginsCommand;
import io.agentprm.core.pipeline.ResultsFile;
import io.agentprm.core.report.Comparison;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An environment that only a plugin JAR holds, from its listing to a better agent. */
class PluginRunTest {
    @TempDir private Path directory;

    @Test
    void anAgentGetsBetterInTheEnvironmentOfAPluginJar() throws Exception {
        Path plugins = plugins();
        String listed =
                TinyRun.execute(new PluginsCommand(), List.of("--plugins", plugins.toString()));
        assertTrue(
                listed.lines()
                        .anyMatch(l -> l.matches("environment +cottage +ok +2.5 +cottage .*")),
                listed);
        assertTrue(listed.lines().noneMatch(l -> l.startsWith("failed") || l.startsWith("note")));

        Path out = directory.resolve("run");
        String printed =
                TinyRun.execute(
                        new RunCommand(),
                        List.of(
                                resource("/cottage-run.yaml").toString(),
                                "--plugins",
                                plugins.toString(),
                                "--out",
                                out.toString()));
        Comparison gain =
                ResultsFile.read(out.resolve(ResultsFile.NAME)).comparisons().stream()
                        .filter(c -> c.agent().equals("pi-1") && c.baseline().equals("pi-0"))
                        .findFirst()
                        .orElseThrow();
        assertTrue(gain.difference().low() > 0, printed);
    }

    /** A plugin directory with the JAR, made by the JDK's own tools. */
    private Path plugins() throws Exception {
        Path sources = resource("/cottage-plugin");
        Path classes = directory.resolve("classes");
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-proc:none",
                                "--module-path",
                                Path.of(uri(AgentPrmException.class)).toString(),
                                "-d",
                                classes.toString()));
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .forEach(file -> arguments.add(file.toString()));
        }
        run("javac", arguments);
        Path plugins = Files.createDirectory(directory.resolve("plugins"));
        Path manifest =
                Files.writeString(
                        directory.resolve("manifest"),
                        "AgentPRM-API: 1.0\nImplementation-Version: 2.5\n");
        run(
                "jar",
                List.of(
                        "--create",
                        "--file",
                        plugins.resolve("cottage.jar").toString(),
                        "--manifest",
                        manifest.toString(),
                        "-C",
                        classes.toString(),
                        "."));
        return plugins;
    }

    private static void run(String tool, List<String> arguments) {
        assertEquals(
                0,
                ToolProvider.findFirst(tool)
                        .orElseThrow()
                        .run(System.out, System.err, arguments.toArray(String[]::new)));
    }

    private static Path resource(String name) throws URISyntaxException {
        return Path.of(PluginRunTest.class.getResource(name).toURI());
    }

    private static URI uri(Class<?> type) {
        return URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString());
    }
}
