package io.agentprm.cli.run;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.cli.plugin.PluginsCommand;
import io.agentprm.core.pipeline.ResultsFile;
import io.agentprm.core.report.Comparison;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An environment that only a plugin JAR holds, from its listing to a better agent. */
class PluginRunTest {
    @TempDir private Path directory;

    @Test
    void anAgentGetsBetterInTheEnvironmentOfAPluginJar() throws Exception {
        Path plugins = PluginJar.in(directory, "/cottage-plugin");
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

    private static Path resource(String name) throws URISyntaxException {
        return Path.of(PluginRunTest.class.getResource(name).toURI());
    }
}
