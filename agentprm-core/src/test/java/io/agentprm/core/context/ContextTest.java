package io.agentprm.core.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.run.Progress;
import io.agentprm.core.RunException;
import io.agentprm.core.files.DurableFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContextTest {
    /** A clock that is moved by hand. */
    private static final class HandClock extends Clock {
        private Instant now = Instant.EPOCH;

        void pass(Duration time) {
            now = now.plus(time);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private final HandClock clock = new HandClock();

    @TempDir Path directory;

    @Test
    void progressOutsideATerminalIsALineEveryFewSecondsWithRateAndRemainingTime() {
        StringBuilder out = new StringBuilder();
        try (Progress progress = new ProgressDisplay(out, false, clock).open("rollouts", 600)) {
            for (int i = 0; i < 60; i++) {
                clock.pass(Duration.ofMillis(500));
                progress.advance(5);
                progress.note("success " + i);
            }
        }
        List<String> lines = out.toString().lines().toList();
        assertEquals(7, lines.size(), out.toString());
        assertEquals(
                "rollouts  [#...................] 50/600  10/s  55s left  success 8", lines.get(0));
        assertTrue(lines.get(6).contains("300/600"), lines.get(6));
    }

    @Test
    void progressOnATerminalRewritesOneLine() {
        StringBuilder out = new StringBuilder();
        try (Progress progress = new ProgressDisplay(out, true, clock).open("steps", 0)) {
            for (int i = 0; i < 10; i++) {
                clock.pass(Duration.ofMillis(50));
                progress.advance(1);
            }
        }
        assertTrue(out.toString().endsWith("\rsteps  10  20/s  0s\u001b[K\n"), out.toString());
        assertEquals(6, out.chars().filter(c -> c == '\r').count());
        assertEquals(1, out.chars().filter(c -> c == '\n').count());
    }

    @Test
    void metricsNeverHoldABareNotANumber() throws Exception {
        Path file = directory.resolve("metrics.jsonl");
        try (JsonLinesMetrics metrics = new JsonLinesMetrics(file)) {
            metrics.record("loss", 1, 0.5);
            metrics.record("loss", 2, Double.NaN);
        }
        assertEquals(
                "{\"name\":\"loss\",\"step\":1,\"value\":0.5}\n"
                        + "{\"name\":\"loss\",\"step\":2,\"value\":null,\"status\":\"NaN\"}\n",
                Files.readString(file));
        assertTrue(JsonLinesMetrics.read(file).get(1).value().isEmpty());
    }

    @Test
    void checkpointsAreDueByTimeOrWhenAStopIsRequestedAndOnlyTheNewestIsKept() throws Exception {
        StopSignal stop = new StopSignal();
        try (JsonLinesMetrics metrics = new JsonLinesMetrics(directory.resolve("m.jsonl"))) {
            DirectoryCheckpoints checkpoints =
                    new DirectoryCheckpoints(
                            directory.resolve("checkpoints"),
                            Duration.ofMinutes(5),
                            clock,
                            stop,
                            metrics,
                            DurableFiles.standard());
            assertTrue(checkpoints.latest().isEmpty());
            assertFalse(checkpoints.due());
            clock.pass(Duration.ofMinutes(5));
            assertTrue(checkpoints.due());
            metrics.record("a", 1, 1);
            checkpoints.save(1, at -> write(at.resolve("x"), "one"));
            assertFalse(checkpoints.due());
            stop.request();
            assertTrue(checkpoints.due());
            metrics.record("a", 2, 2);
            checkpoints.save(2, at -> write(at.resolve("x"), "two"));
            metrics.record("a", 3, 3);
            var latest = checkpoints.latest().orElseThrow();
            assertEquals(2, latest.step());
            assertEquals("two", Files.readString(latest.directory().resolve("x")));
            try (var all = Files.list(directory.resolve("checkpoints"))) {
                assertEquals(1, all.count());
            }
            metrics.record("a", 4, 4);
            Files.writeString(latest.directory().resolve("x"), "changed");
            RunException e = assertThrows(RunException.class, checkpoints::latest);
            assertTrue(e.getMessage().contains("state/x has changed"), e.getMessage());
        }
        assertEquals(
                List.of(1L, 2L, 4L),
                JsonLinesMetrics.read(directory.resolve("m.jsonl")).stream()
                        .map(JsonLinesMetrics.Point::step)
                        .toList());
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aWatchIsClosedWithoutTrace() {
        StopSignal stop = new StopSignal();
        StopSignal.Watch watch = stop.watch(Duration.ofSeconds(1));
        watch.close();
        watch.close();
        assertFalse(stop.requested());
    }
}
