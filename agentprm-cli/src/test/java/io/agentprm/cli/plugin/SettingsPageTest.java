package io.agentprm.cli.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page as the command prints it where there are no plugins but its own. */
class SettingsPageTest {
    private static final Path PAGE = Path.of("docs", "reference.md");

    @TempDir private static Path empty;
    private static String printed;

    @BeforeAll
    static void print() throws IOException, InterruptedException {
        String own =
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .filter(entry -> !entry.contains("testkit"))
                        .filter(entry -> !entry.endsWith("test-classes"))
                        .collect(Collectors.joining(File.pathSeparator));
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx256m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                own,
                                "io.agentprm.cli.Main",
                                "plugins",
                                "--markdown",
                                "--plugins",
                                empty.toString())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor());
    }

    @Test
    void pageInTheDocumentationIsWhatTheCommandPrints() throws IOException {
        assertEquals(
                Files.readString(page()),
                printed,
                "docs/reference.md is out of date: ./agentprm plugins --markdown"
                        + " > docs/reference.md");
    }

    @Test
    void everyNestedKeyOfARunIsThere() {
        for (String key :
                List.of(
                        "name",
                        "workers",
                        "adam-w.beta1",
                        "demonstrations.expert",
                        "loop.rollouts.temperature",
                        "loop.prm-start",
                        "evaluation.best-of-n")) {
            assertTrue(printed.contains("\n| `" + key + "` | "), key);
        }
    }

    private static Path page() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve(PAGE))) {
                return at.resolve(PAGE);
            }
        }
        throw new AssertionError(
                PAGE + " is in no directory above " + Path.of("").toAbsolutePath());
    }
}
