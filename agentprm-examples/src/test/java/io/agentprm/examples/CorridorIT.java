package io.agentprm.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A JAR that was built from installed artefacts only trains an agent, wherever it lies. The command
 * runs in a process of its own, on this test's class path without what only tests need.
 */
class CorridorIT {
    private static final Path SETTINGS = Path.of("third-party", "corridor", "corridor.yaml");
    private static final Path JAR =
            Path.of("target", "third-party", "corridor", "target", "corridor-1.0-SNAPSHOT.jar");

    private static final Pattern FOR_TESTS =
            Pattern.compile("examples|testkit|junit|opentest4j|apiguardian|surefire");

    @TempDir private static Path work;
    private static Path plugins;
    private static Path none;
    private static JsonNode fromDirectory;

    @BeforeAll
    static void trainFromAPluginDirectory() throws Exception {
        plugins = Files.createDirectory(work.resolve("plugins"));
        none = Files.createDirectory(work.resolve("none"));
        Files.copy(JAR, plugins.resolve("corridor.jar"));
        List<String> java = List.of("-cp", path(command()), "io.agentprm.cli.Main");
        fromDirectory = train("directory", java, plugins);
    }

    @Test
    void theAgentAndItsRewardModelAreBetterThanTheStart() {
        assertGain("pi-1");
        assertGain("best-of-n(pi-0, Q-0)");
    }

    @Test
    void onTheClassPathItTrainsTheSameAgent() throws Exception {
        List<String> entries = new ArrayList<>(command());
        entries.add(JAR.toString());
        List<String> java = List.of("-cp", path(entries), "io.agentprm.cli.Main");
        assertEquals(fromDirectory, train("class-path", java, none));
    }

    /** The native JAR has a name that no module may have; it stays on the class path. */
    @Test
    void onTheModulePathItTrainsTheSameAgent() throws Exception {
        Predicate<String> nativeJar = entry -> entry.contains("pytorch-native");
        List<String> modules =
                new ArrayList<>(command().stream().filter(nativeJar.negate()).toList());
        modules.add(JAR.toString());
        List<String> java =
                List.of(
                        "--module-path",
                        path(modules),
                        "-cp",
                        path(command().stream().filter(nativeJar).toList()),
                        "--module",
                        "io.agentprm.cli/io.agentprm.cli.Main");
        assertEquals(fromDirectory, train("module-path", java, none));
    }

    private static void assertGain(String agent) {
        for (JsonNode comparison : fromDirectory.get("comparisons")) {
            if (comparison.get("agent").asText().equals(agent)
                    && comparison.get("baseline").asText().equals("pi-0")) {
                double low = comparison.get("difference").get("low").asDouble();
                assertTrue(low > 0, comparison::toString);
                return;
            }
        }
        throw new AssertionError(agent + " was not compared with pi-0: " + fromDirectory);
    }

    private static JsonNode train(String name, List<String> java, Path plugins)
            throws IOException, InterruptedException {
        Path run = work.resolve(name);
        Path log = work.resolve(name + ".log");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx2g", "-Dai.djl.offline=true"));
        command.addAll(java);
        command.addAll(List.of("run", SETTINGS.toString(), "--out", run.toString()));
        command.addAll(List.of("--plugins", plugins.toString()));
        int status =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start()
                        .waitFor();
        assertEquals(0, status, () -> read(log));
        return new ObjectMapper().readTree(run.resolve("results.json").toFile());
    }

    private static String read(Path log) {
        try {
            return Files.readString(log, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "no log: " + e;
        }
    }

    private static List<String> command() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.endsWith(".jar"))
                .filter(entry -> !FOR_TESTS.matcher(Path.of(entry).getFileName() + "").find())
                .toList();
    }

    private static String path(List<String> entries) {
        return String.join(File.pathSeparator, entries);
    }
}
