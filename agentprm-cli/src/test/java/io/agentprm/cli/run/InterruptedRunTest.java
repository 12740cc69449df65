package io.agentprm.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The command in JVMs of its own that are killed and started again. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has no signals")
class InterruptedRunTest {
    private static final int KILLS = 10;

    /** Long enough that most kills fall into the middle of something. */
    private static final String[] LONGER = {
        "--checkpoint-seconds", "0.05", "--set", "loop.optimizer.steps=120"
    };

    @Test
    @Tag("slow")
    @Timeout(1800)
    void runThatIsKilledTenTimesEqualsAnUndisturbedOne(@TempDir Path directory) throws Exception {
        Path undisturbed = directory.resolve("undisturbed");
        long started = System.nanoTime();
        assertEquals(0, TinyRun.start(undisturbed, LONGER).waitFor(), () -> log(undisturbed));
        long whole = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);

        Random moments = new Random(7);
        List<Long> delays = new ArrayList<>();
        // A run that ends in spite of its kills is compared, and the next one is killed.
        for (int number = 0; delays.size() < KILLS; number++) {
            Path killed = directory.resolve("killed-" + number);
            boolean ended = false;
            while (!ended && delays.size() < KILLS) {
                // From the start of the work on: what comes before it writes nothing.
                long delay = whole / 4 + moments.nextLong(whole / 2);
                Process process = TinyRun.start(killed, LONGER);
                ended = process.waitFor(delay, TimeUnit.MILLISECONDS);
                if (ended) {
                    assertEquals(0, process.exitValue(), () -> log(killed));
                } else {
                    // SIGKILL.
                    process.destroyForcibly().waitFor();
                    delays.add(delay);
                }
            }
            assertEquals(0, TinyRun.start(killed, LONGER).waitFor(), () -> log(killed));
            assertEquals(
                    TinyRun.contents(undisturbed), TinyRun.contents(killed), delays.toString());
        }
    }

    @Test
    @Timeout(600)
    void sigtermEndsWith130AndTheSameCommandContinues(@TempDir Path directory) throws Exception {
        Path run = directory.resolve("run");
        Process process = TinyRun.start(run, LONGER);
        try {
            while (Files.notExists(run.resolve("policy-0"))) {
                assertTrue(process.isAlive(), () -> log(run));
                TimeUnit.MILLISECONDS.sleep(5);
            }
            // SIGTERM.
            process.destroy();
            assertEquals(130, process.waitFor(), () -> log(run));
            assertTrue(log(run).contains("the same command continues"), () -> log(run));
            assertTrue(Files.notExists(run.resolve("results.json")), "it ended before the signal");
        } finally {
            process.destroyForcibly();
        }
        assertEquals(0, TinyRun.start(run, LONGER).waitFor(), () -> log(run));
        assertTrue(Files.exists(run.resolve("results.json")));
    }

    private static String log(Path run) {
        try {
            return Files.readString(TinyRun.log(run));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
