package io.agentprm.core.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class StopSignalTest {
    /** Works until a stop is requested, and then takes a while to reach its safe point. */
    public static final class Worker {
        private Worker() {}

        public static void main(String[] args) throws IOException, InterruptedException {
            StopSignal stop = new StopSignal();
            try (StopSignal.Watch watch = stop.watch(Duration.ofSeconds(30))) {
                Files.writeString(Path.of(args[0], "started"), "");
                while (!stop.requested()) {
                    TimeUnit.MILLISECONDS.sleep(10);
                }
                TimeUnit.MILLISECONDS.sleep(500);
                Files.writeString(Path.of(args[0], "checkpoint"), "written");
            }
        }
    }

    @Test
    @Timeout(60)
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has no SIGTERM")
    void sigtermEndsTheWorkAtItsSafePoint(@TempDir Path directory) throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx32m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Worker.class.getName(),
                                directory.toString())
                        .redirectErrorStream(true)
                        .start();
        try {
            while (Files.notExists(directory.resolve("started"))) {
                assertTrue(process.isAlive(), () -> output(process));
                TimeUnit.MILLISECONDS.sleep(20);
            }
            // SIGTERM.
            process.destroy();
            process.waitFor();
            assertEquals("written", Files.readString(directory.resolve("checkpoint")));
            assertEquals(128 + 15, process.exitValue());
        } finally {
            process.destroyForcibly();
        }
    }

    private static String output(Process process) {
        try (BufferedReader reader =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            return String.join("\n", reader.lines().toList());
        } catch (IOException e) {
            return e.toString();
        }
    }
}
