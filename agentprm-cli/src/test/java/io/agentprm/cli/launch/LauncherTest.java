package io.agentprm.cli.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script in a checkout of its own, with a Maven and a Java that only pretend. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a shell script")
class LauncherTest {
    private static final Path SCRIPT = Path.of("..", "agentprm");
    private static final long PATIENCE_SECONDS = 60;

    @TempDir private Path root;
    private Path target;

    @BeforeEach
    void checkout() throws IOException {
        target = root.resolve("agentprm-cli/target");
        Files.createDirectories(root.resolve("build"));
        Files.writeString(root.resolve("pom.xml"), "<project/>");
        Files.copy(SCRIPT, root.resolve("agentprm"));
        program(
                "java",
                "case $* in *-version*) echo '    java.specification.version = 17' >&2; exit ;; esac",
                "exec sleep ${PRETEND_SECONDS:-0}");
        program(
                "mvn",
                "mkdir -p agentprm-cli/target/modules",
                "touch agentprm-cli/target/modules/a.jar agentprm-cli/target/agentprm-cli-1.jar");
    }

    private void program(String name, String... lines) throws IOException {
        Path file = root.resolve("bin").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void aBuildRemovesWhatNothingRunsFromAnyMore() throws Exception {
        launch();
        Path first = copies().get(0);
        Path killed = Files.createDirectory(target.resolve("new.1"));
        ageTwoHours(first);
        ageTwoHours(killed);
        launch();
        assertEquals(1, copies().size());
        assertFalse(Files.exists(first));
        assertFalse(Files.exists(killed));
    }

    @Test
    void aBuildLeavesWhatAProcessRunsFrom() throws Exception {
        Process running = start("30");
        try {
            while (copies().isEmpty() || !Files.exists(marker(copies().get(0), running))) {
                assertTrue(running.isAlive());
                Thread.sleep(20);
            }
            Path first = copies().get(0);
            ageTwoHours(first);
            launch();
            assertEquals(2, copies().size());
            assertTrue(Files.exists(first));
        } finally {
            running.destroy();
        }
    }

    @Test
    void startsLeaveOneTraceHoweverManyTheyAre() throws Exception {
        launch();
        launch();
        launch();
        try (Stream<Path> files = Files.list(copies().get(0))) {
            assertEquals(
                    1, files.filter(f -> f.getFileName().toString().startsWith("user.")).count());
        }
    }

    @Test
    void aBuildThatWasKilledHoldsNoOtherUp() throws Exception {
        Path lock = Files.createDirectories(target.resolve("build.lock"));
        ageTwoHours(lock);
        launch();
        assertEquals(1, copies().size());
    }

    private static Path marker(Path copy, Process running) {
        return copy.resolve("user." + running.pid());
    }

    private void launch() throws Exception {
        Process process = start("0");
        assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue());
    }

    private Process start(String seconds) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(root.resolve("agentprm").toString())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().remove("JAVA_HOME");
        builder.environment().put("PATH", root.resolve("bin") + ":/usr/bin:/bin");
        builder.environment().put("PRETEND_SECONDS", seconds);
        return builder.start();
    }

    private List<Path> copies() throws IOException {
        if (!Files.isDirectory(target)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(f -> f.getFileName().toString().startsWith("app-"))
                    .sorted()
                    .toList();
        }
    }

    /** What is in it, too: a copy of that age is older than its sources, and built again. */
    private static void ageTwoHours(Path directory) throws IOException {
        FileTime then = FileTime.from(Instant.now().minus(Duration.ofHours(2)));
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.setLastModifiedTime(file, then);
            }
        }
        Files.setLastModifiedTime(directory, then);
    }
}
