package io.agentprm.core.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.run.CancelledException;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import io.agentprm.core.RunException;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.context.ContextFactory;
import io.agentprm.core.context.JsonLinesMetrics;
import io.agentprm.core.context.ProgressDisplay;
import io.agentprm.core.context.StopSignal;
import io.agentprm.core.files.DurableFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDirectoryTest {
    private static final Clock CLOCK =
            Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC);
    private static final ConfigNode CONFIG =
            ConfigNode.parse("{seed: 7, training: {steps: 6, rate: 0.001}}", "test");

    @TempDir Path directory;

    private static RunDirectory open(Path path, DurableFiles files) {
        return RunDirectory.open(path, CONFIG, 7, Map.of("agentprm", "1"), CLOCK, files);
    }

    private static void writeText(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A run of three stages: plain, sharded, and one that trains with checkpoints. */
    private static void run(Path path, DurableFiles files) {
        try (RunDirectory run = open(path, files)) {
            run.record(Map.of("engine", "djl"));
            run.stage("init")
                    .runOnce(
                            stage -> {
                                writeText(stage.resolve("weights/a.bin"), "a");
                                writeText(stage.resolve("b.txt"), "b");
                            });
            run.stage("iteration-1/rollouts")
                    .continueOnce(
                            stage -> {
                                for (String shard : List.of("shard-0", "shard-1")) {
                                    if (Files.notExists(stage.resolve(shard))) {
                                        files.write(stage.resolve(shard), shard);
                                    }
                                }
                            });
            Stage training = run.stage("iteration-1/policy");
            training.runOnce(stage -> train(stage, training, files));
        }
    }

    /** Sums random numbers; every step is a checkpoint. */
    private static void train(Path stage, Stage training, DurableFiles files) {
        ContextFactory contexts =
                new ContextFactory(
                        CLOCK,
                        new ProgressDisplay(new StringBuilder(), false, CLOCK),
                        new StopSignal(),
                        Duration.ZERO,
                        files);
        try (var open = contexts.stage(RandomSource.of(5), stage, training.checkpoints())) {
            RunContext context = open.context();
            double sum = 0;
            long step = 0;
            var latest = context.checkpoints().latest();
            if (latest.isPresent()) {
                step = latest.get().step();
                sum = Double.parseDouble(read(latest.get().directory().resolve("sum")));
            }
            while (step < 2) {
                sum += context.random().derive(step).generator().nextDouble();
                step++;
                context.metrics().record("sum", step, sum);
                if (context.checkpoints().due()) {
                    double now = sum;
                    context.checkpoints()
                            .save(step, at -> writeText(at.resolve("sum"), Double.toString(now)));
                }
            }
            writeText(stage.resolve("sum"), Double.toString(sum));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All files with their bytes, but the lock. */
    private static SortedMap<String, String> bytes(Path path) {
        SortedMap<String, String> all = new TreeMap<>();
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.toList()) {
                String name = path.relativize(file).toString();
                if (Files.isDirectory(file)) {
                    all.put(name + "/", "");
                } else if (!name.equals("run.lock")) {
                    all.put(name, Integer.toHexString(Arrays.hashCode(Files.readAllBytes(file))));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    @Test
    void aRunKilledAtSomeMomentAndContinuedEqualsAnUndisturbedOneByteByByte() {
        killEvery(7);
    }

    @Test
    @Tag("slow")
    void aRunKilledAtAnyMomentAndContinuedEqualsAnUndisturbedOneByteByByte() {
        killEvery(1);
    }

    private void killEvery(int stride) {
        Path undisturbed = directory.resolve("undisturbed");
        run(undisturbed, DurableFiles.standard());
        SortedMap<String, String> expected = bytes(undisturbed);
        assertTrue(
                expected.containsKey("iteration-1/policy/metrics.jsonl"),
                expected.keySet()::toString);
        assertTrue(
                expected.keySet().stream()
                        .noneMatch(
                                name ->
                                        name.contains(".")
                                                && name.matches(
                                                        "(.*/)?\\.(tmp|work|checkpoints).*")),
                expected.keySet()::toString);
        int boundary = 0;
        boolean killed = true;
        while (killed) {
            Path path = directory.resolve("killed-" + boundary);
            killed = false;
            try {
                run(path, Kill.at(boundary));
            } catch (Kill.Killed e) {
                killed = true;
            }
            run(path, DurableFiles.standard());
            assertEquals(expected, bytes(path), "killed at boundary " + boundary);
            boundary += stride;
        }
        assertTrue(boundary > 50, boundary + " boundaries");
    }

    @Test
    void aRunKilledAgainAndAgainEndsTheSame() {
        Path undisturbed = directory.resolve("undisturbed");
        run(undisturbed, DurableFiles.standard());
        Path path = directory.resolve("killed");
        int attempts = 0;
        boolean killed = true;
        while (killed) {
            killed = false;
            try {
                // Far enough in each attempt to complete at least one step of progress.
                run(path, Kill.at(13));
            } catch (Kill.Killed e) {
                killed = true;
                attempts++;
            }
            assertTrue(attempts < 100, "no progress");
        }
        assertTrue(attempts > 3, attempts + " attempts");
        assertEquals(bytes(undisturbed), bytes(path));
    }

    @Test
    void aCompleteStageIsSkipped() {
        List<String> done = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            try (RunDirectory run = open(directory.resolve("run"), DurableFiles.standard())) {
                Path result =
                        run.stage("one")
                                .runOnce(
                                        stage -> {
                                            done.add("one");
                                            writeText(stage.resolve("a"), "a");
                                        });
                assertEquals("a", read(result.resolve("a")));
            }
        }
        assertEquals(List.of("one"), done);
    }

    @Test
    void aStageThatFailsLeavesNothingThatLooksComplete() {
        try (RunDirectory run = open(directory.resolve("run"), DurableFiles.standard())) {
            Stage stage = run.stage("one");
            assertThrows(
                    CancelledException.class,
                    () ->
                            stage.runOnce(
                                    at -> {
                                        writeText(at.resolve("a"), "half");
                                        throw new CancelledException("stop");
                                    }));
            assertFalse(stage.complete());
            stage.runOnce(at -> writeText(at.resolve("b"), "whole"));
            assertTrue(stage.complete());
            assertFalse(Files.exists(stage.directory().resolve("a")));
        }
    }

    @Test
    void aDamagedStageIsAnErrorThatNamesTheFileAndTheRemedy() {
        Path path = directory.resolve("run");
        run(path, DurableFiles.standard());
        Path weights = path.resolve("init/weights/a.bin");
        writeText(weights, "x");
        assertDamaged(path, "weights/a.bin has changed");
        assertEquals(true, weights.toFile().delete());
        assertDamaged(path, "weights/a.bin is missing");
        writeText(path.resolve("init/manifest.json"), "{\"schema\": ");
        assertDamaged(path, "manifest is broken");
        assertEquals(true, path.resolve("init/manifest.json").toFile().delete());
        assertDamaged(path, "it has no manifest.json");
    }

    private static void assertDamaged(Path path, String what) {
        RunException e = assertThrows(RunException.class, () -> run(path, DurableFiles.standard()));
        assertTrue(e.getMessage().contains(what), e.getMessage());
        assertTrue(e.getMessage().contains("init is damaged"), e.getMessage());
        assertTrue(e.getMessage().contains("delete the directory"), e.getMessage());
    }

    @Test
    void theIdentityOfARunIsKeptOverResumes() {
        Path path = directory.resolve("run");
        RunInfo first;
        try (RunDirectory run = open(path, DurableFiles.standard())) {
            first = run.info();
        }
        Clock later = Clock.offset(CLOCK, Duration.ofHours(1));
        try (RunDirectory run =
                RunDirectory.open(
                        path, CONFIG, 7, Map.of("agentprm", "2"), later, DurableFiles.standard())) {
            assertEquals(first, run.info());
        }
        assertEquals("run-20260102-030405", first.id());
        assertEquals(first, RunDirectory.info(path));
        assertEquals(CONFIG, RunDirectory.config(path));
    }

    @Test
    void whatIsRecordedBeforeTheFirstStageIsKeptOnceThereIsOne() {
        Path path = directory.resolve("run");
        try (RunDirectory run = open(path, DurableFiles.standard())) {
            run.record(Map.of("engine", "another try's"));
            run.record(Map.of("engine", "djl"));
            assertEquals(Map.of("agentprm", "1", "engine", "djl"), run.info().versions());
            run.stage("init").runOnce(stage -> writeText(stage.resolve("a"), "a"));
            run.record(Map.of("engine", "onnx", "device", "cpu"));
            assertEquals(Map.of("agentprm", "1", "engine", "djl"), run.info().versions());
        }
        assertEquals(Map.of("agentprm", "1", "engine", "djl"), RunDirectory.info(path).versions());
    }

    @Test
    void anotherConfigurationIsRefusedWithTheKeysThatDiffer() {
        Path path = directory.resolve("run");
        open(path, DurableFiles.standard()).close();
        writeText(path.resolve(".work-rollouts/shard"), "an hour's work");
        ConfigNode other =
                ConfigNode.parse("{seed: 8, training: {steps: 6, rate: 0.001, extra: 1}}", "test");
        RunException e =
                assertThrows(
                        RunException.class,
                        () ->
                                RunDirectory.open(
                                        path, other, 8, Map.of(), CLOCK, DurableFiles.standard()));
        assertTrue(e.getMessage().contains("\n  seed: '7' there, '8' now\n"), e.getMessage());
        assertTrue(
                e.getMessage().contains("\n  training.extra: absent there, '1' now\n"),
                e.getMessage());
        assertFalse(e.getMessage().contains("steps"), e.getMessage());
        // The lock is free again.
        open(path, DurableFiles.standard()).close();
    }

    @Test
    void aRunThatWasRefusedAtItsStartMayBeginAnewWithAnotherConfiguration() {
        Path path = directory.resolve("run");
        open(path, DurableFiles.standard()).close();
        writeText(path.resolve(".tmp-trajectories/half"), "x");
        ConfigNode other = ConfigNode.parse("{seed: 8, training: {steps: 6, rate: 0.001}}", "test");
        RunDirectory.open(path, other, 8, Map.of(), CLOCK, DurableFiles.standard()).close();
        assertEquals(other, RunDirectory.config(path));
        assertEquals(8, RunDirectory.info(path).seed());
    }

    @Test
    void twoCannotWriteOneRun() {
        Path path = directory.resolve("run");
        try (RunDirectory run = open(path, DurableFiles.standard())) {
            RunException e =
                    assertThrows(
                            RunException.class, () -> open(run.path(), DurableFiles.standard()));
            assertTrue(
                    e.getMessage()
                            .contains("being written by process " + ProcessHandle.current().pid()),
                    e.getMessage());
        }
        open(path, DurableFiles.standard()).close();
    }

    @Test
    void metricsOfAResumedStageHoldEveryPointOnce() {
        Path path = directory.resolve("run");
        assertThrows(Kill.Killed.class, () -> run(path, Kill.at(62)));
        run(path, DurableFiles.standard());
        List<Long> steps =
                JsonLinesMetrics.read(path.resolve("iteration-1/policy/metrics.jsonl")).stream()
                        .map(JsonLinesMetrics.Point::step)
                        .toList();
        assertEquals(List.of(1L, 2L), steps);
    }

    @Test
    void nothingOfSomebodyElseIsDeletedFromADirectoryOrThroughALink() throws IOException {
        Path path = directory.resolve("run");
        Path elsewhere = directory.resolve("elsewhere/.tmp-mine");
        writeText(elsewhere, "mine");
        writeText(path.resolve("notes/.tmp-mine"), "mine");
        Files.createSymbolicLink(path.resolve("link"), elsewhere.getParent());
        open(path, DurableFiles.standard()).close();
        assertEquals("mine", read(elsewhere));
        assertEquals("mine", read(path.resolve("notes/.tmp-mine")));
    }

    @Test
    void aFolderOfSomethingElseIsRefusedAndKept() {
        Path path = directory.resolve("folder");
        writeText(path.resolve("thesis.tex"), "x");
        RunException e =
                assertThrows(RunException.class, () -> OwnDirectory.require(path, "stage"::equals));
        assertTrue(e.getMessage().contains("holds no run"), e.getMessage());
        assertTrue(e.getMessage().contains("thesis.tex"), e.getMessage());
        assertTrue(e.getMessage().contains("new or empty"), e.getMessage());
        assertEquals(List.of("thesis.tex"), List.copyOf(bytes(path).keySet()).subList(1, 2));
    }

    @Test
    void aNewOrEmptyDirectoryARunAndNothingButStagesAreFine() throws IOException {
        OwnDirectory.require(directory.resolve("new"), "stage"::equals);
        OwnDirectory.require(Files.createDirectory(directory.resolve("empty")), "stage"::equals);
        Path run = directory.resolve("run");
        open(run, DurableFiles.standard()).close();
        writeText(run.resolve("notes.txt"), "x");
        OwnDirectory.require(run, "stage"::equals);
        Path stages = directory.resolve("stages");
        writeText(stages.resolve("stage/a.txt"), "x");
        writeText(stages.resolve(".work-stage/a.txt"), "x");
        OwnDirectory.require(stages, "stage"::equals);
    }

    @Test
    void aRunKilledBeforeItHadAnIdentityMayGoOn() {
        Path path = directory.resolve("run");
        for (int boundary = 0; boundary < 12; boundary++) {
            DurableFiles killed = Kill.at(boundary);
            assertThrows(
                    Kill.Killed.class,
                    () -> {
                        open(path, killed).close();
                        throw new Kill.Killed();
                    });
            OwnDirectory.require(path, "stage"::equals);
            DurableFiles.delete(path);
        }
    }
}
