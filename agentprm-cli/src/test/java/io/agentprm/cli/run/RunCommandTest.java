package io.agentprm.cli.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.core.files.DurableFiles;
import io.agentprm.core.pipeline.ResultsFile;
import io.agentprm.core.report.Comparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole loop through the command, on a process that everything is known about. */
class RunCommandTest {
    @TempDir private static Path shared;
    private static Path done;
    private static String printed;

    @BeforeAll
    static void run() {
        done = shared.resolve("done");
        printed = TinyRun.run(done);
    }

    @Test
    void trainingAndChoosingMakeTheAgentBetter() {
        ResultsFile results = ResultsFile.read(done.resolve(ResultsFile.NAME));
        assertTrue(difference(results, "pi-2", "pi-0").difference().low() > 0, printed);
        assertTrue(
                difference(results, "best-of-n(pi-0, Q-0)", "pi-0").difference().low() > 0,
                printed);
    }

    @Test
    void choosingAtRandomDoesNotMakeItBetter() {
        ResultsFile results = ResultsFile.read(done.resolve(ResultsFile.NAME));
        assertTrue(
                difference(results, "random-choice(pi-0, Q-0)", "pi-0").difference().low() <= 0,
                printed);
    }

    @Test
    void everyAgentIsJudgedOnTheSamePairsUnderANameOfItsOwn() {
        List<ResultsFile.AgentResult> agents =
                ResultsFile.read(done.resolve(ResultsFile.NAME)).agents().stream()
                        .filter(agent -> !agent.scaling())
                        .toList();
        assertEquals(
                agents.size(),
                new HashSet<>(agents.stream().map(ResultsFile.AgentResult::agent).toList()).size());
        agents.forEach(agent -> assertEquals(160, agent.all().episodes(), agent.agent()));
    }

    @Test
    void reportIsWrittenAndNamed() throws IOException {
        assertTrue(printed.contains("report.html"), printed);
        assertTrue(Files.readString(done.resolve("report.html")).contains("best-of-n(pi-0, Q-0)"));
    }

    @Test
    void secondRunOfADirectoryDoesNothingAndWritesTheSameBytes() throws IOException {
        Map<String, Integer> before = TinyRun.contents(done);
        byte[] report = Files.readAllBytes(done.resolve("report.html"));
        Object model = Files.getLastModifiedTime(done.resolve("iteration-2/policy/report.json"));
        assertEquals(printed, TinyRun.run(done));
        assertEquals(before, TinyRun.contents(done));
        assertArrayEquals(report, Files.readAllBytes(done.resolve("report.html")));
        assertEquals(
                model, Files.getLastModifiedTime(done.resolve("iteration-2/policy/report.json")));
    }

    @Test
    void numberOfWorkersChangesNoResult(@TempDir Path directory) throws IOException {
        Path other = directory.resolve("one-worker");
        TinyRun.run(other, "--set", "workers=1");
        assertEquals(TinyRun.contents(done), TinyRun.contents(other));
    }

    @Test
    void numberOfWorkersMayDifferOnResume(@TempDir Path directory) throws IOException {
        byte[] config = Files.readAllBytes(done.resolve("config.yaml"));
        TinyRun.run(done, "--set", "workers=3", "--set", "name=other");
        assertArrayEquals(config, Files.readAllBytes(done.resolve("config.yaml")));
        TinyRun.run(done);
    }

    @Test
    void anotherConfigurationIsRefusedWithTheKey() {
        AssertionError error =
                assertThrows(
                        AssertionError.class,
                        () -> TinyRun.run(done, "--set", "loop.iterations=3"));
        assertTrue(error.getMessage().contains("loop.iterations: '2' there, '3' now"));
    }

    @Test
    void unknownSplitIsFoundBeforeAnythingIsDone(@TempDir Path directory) throws IOException {
        Path run = directory.resolve("run");
        assertThrows(
                AssertionError.class, () -> TinyRun.run(run, "--set", "evaluation.split=vaild"));
        try (Stream<Path> files = Files.list(run)) {
            assertFalse(files.anyMatch(Files::isDirectory));
        }
    }

    @Test
    void dryRunWritesNothing(@TempDir Path directory) throws IOException {
        Path run = directory.resolve("run");
        String plan = TinyRun.run(run, "--dry-run");
        assertTrue(plan.contains("iteration-2/policy"), plan);
        assertFalse(plan.contains(" done "), plan);
        assertFalse(Files.exists(run));
    }

    @Test
    void dryRunNamesTheStagesThatTheRunMakes(@TempDir Path directory) throws IOException {
        assertEquals(stages(done), planned(TinyRun.run(directory.resolve("run"), "--dry-run")));
        Path few = directory.resolve("few");
        String[] settings = {
            "--set", "loop.iterations=3", "--set", "evaluation.every-iteration=false"
        };
        Set<String> planned = planned(TinyRun.run(few, append(settings, "--dry-run")));
        TinyRun.run(few, settings);
        assertEquals(stages(few), planned);
    }

    @Test
    void dryRunSaysHowMuchIsDone() {
        String plan = TinyRun.run(done, "--dry-run");
        assertTrue(plan.contains("which is begun"), plan);
        assertTrue(plan.contains("done   40 tasks of train, 2 episodes each: 80 of "), plan);
        assertTrue(plan.contains("done   prm: at most 80 steps of 16 trajectories"), plan);
        assertTrue(plan.contains("done   online-dpo: 40 steps of at most 64 prompts"), plan);
        assertTrue(
                plan.contains("done   40 tasks of valid, 4 episodes each: 160, best-of-n, n = 4,"));
        assertFalse(plan.contains("to do"), plan);
    }

    @Test
    void dryRunOfAnInterruptedRunSaysWhereItGoesOn(@TempDir Path directory) throws IOException {
        Path run = directory.resolve("run");
        String[] settings = {"--set", "loop.iterations=0"};
        TinyRun.run(run, settings);
        DurableFiles.delete(run.resolve("policy-0"));
        Files.createDirectories(run.resolve(".checkpoints-policy-0"));
        Map<String, Integer> before = TinyRun.contents(run);
        String plan = TinyRun.run(run, append(settings, "--dry-run"));
        assertTrue(plan.contains("policy-0                begun"), plan);
        assertEquals(before, TinyRun.contents(run));
    }

    @Test
    void dryRunRefusesWhatARunWouldRefuse(@TempDir Path directory) {
        Path run = directory.resolve("run");
        assertRefused(run, "has 40 tasks, but 41 are asked for", "--set", "evaluation.tasks=41");
        assertRefused(run, "vaild", "--set", "evaluation.split=vaild");
        assertRefused(run, "unknown key", "--set", "loop.prm.epoch=1");
        assertRefused(run, "policy", "--set", "loop.targets={type: mc, truncated: bootstrap}");
        assertRefused(done, "loop.iterations: '2' there, '3' now", "--set", "loop.iterations=3");
        assertFalse(Files.exists(run));
    }

    private static void assertRefused(Path run, String message, String... settings) {
        AssertionError error =
                assertThrows(
                        AssertionError.class,
                        () -> TinyRun.run(run, append(settings, "--dry-run")));
        assertTrue(error.getMessage().startsWith("exit code 2: "), error.getMessage());
        assertTrue(error.getMessage().contains(message), error.getMessage());
    }

    private static String[] append(String[] arguments, String last) {
        return Stream.concat(Stream.of(arguments), Stream.of(last)).toArray(String[]::new);
    }

    /** The first words of the lines of the table. */
    private static Set<String> planned(String plan) {
        return plan.lines()
                .filter(line -> line.matches("[a-z0-9/-]+ +(to do|begun|done) .*"))
                .map(line -> line.split(" ", 2)[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Directories of finished stages. */
    private static Set<String> stages(Path run) throws IOException {
        try (Stream<Path> files = Files.walk(run)) {
            return files.filter(file -> file.endsWith("manifest.json"))
                    .map(file -> run.relativize(file.getParent()).toString())
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    void nothingTemporaryIsLeft() throws IOException {
        assertEquals(
                List.of(),
                TinyRun.contents(done).keySet().stream()
                        .filter(name -> name.contains(".tmp-") || name.contains(".work-"))
                        .toList());
    }

    private static Comparison difference(ResultsFile results, String agent, String baseline) {
        return results.comparisons().stream()
                .filter(c -> c.agent().equals(agent) && c.baseline().equals(baseline))
                .findFirst()
                .orElseThrow(() -> new AssertionError(agent + " is not compared with " + baseline));
    }

    @Test
    void whatCannotBeRunIsFoundByADryRunWithItsKey(@TempDir Path directory) {
        refused(directory, "evaluation.split is 'train'", "evaluation.split=train");
        refused(directory, "adam-w.beta1: must lie in [0, 1), was 2", "adam-w.beta1=2");
        refused(directory, "adam-w.epsilon: must be above 0, was -1", "adam-w.epsilon=-1");
        refused(directory, "name: must name one directory", "name=../..");
        refused(directory, "name: must name one directory", "name=");
        refused(
                directory,
                "loop.targets (mc): truncated: bootstrap needs",
                "loop.targets.truncated=bootstrap");
        refused(directory, "evaluation.controls[0]: there is no policy", "evaluation.controls=[x]");
    }

    private static void refused(Path directory, String message, String setting) {
        AssertionError error =
                assertThrows(
                        AssertionError.class,
                        () -> TinyRun.run(directory.resolve("run"), "--dry-run", "--set", setting));
        assertTrue(error.getMessage().contains(message), error.getMessage());
    }

    @Test
    void aFolderOfSomethingElseIsRefusedAndKept(@TempDir Path directory) throws IOException {
        Path folder = Files.createDirectory(directory.resolve("folder"));
        Path mine = Files.writeString(folder.resolve(".tmp-mine"), "mine");
        AssertionError error = assertThrows(AssertionError.class, () -> TinyRun.run(folder));
        assertTrue(error.getMessage().contains("holds no run"), error.getMessage());
        assertEquals("mine", Files.readString(mine));
    }

    @Test
    void stagesOfAnotherRunAreNotDoneAgain(@TempDir Path directory) throws IOException {
        Path copied = directory.resolve("run/demonstrations");
        Files.createDirectories(copied);
        try (Stream<Path> files = Files.list(done.resolve("demonstrations"))) {
            for (Path file : files.toList()) {
                Files.copy(file, copied.resolve(file.getFileName()));
            }
        }
        assertTrue(
                TinyRun.run(directory.resolve("run"), "--dry-run")
                        .lines()
                        .anyMatch(line -> line.matches("demonstrations +done .*")));
    }

    @Test
    void anIntervalOfCheckpointsIsANumberOfSeconds(@TempDir Path directory) {
        for (String wrong : List.of("NaN", "-1")) {
            AssertionError error =
                    assertThrows(
                            AssertionError.class,
                            () ->
                                    TinyRun.run(
                                            directory.resolve("run"),
                                            "--dry-run",
                                            "--checkpoint-seconds",
                                            wrong));
            assertTrue(error.getMessage().contains("--checkpoint-seconds"), error.getMessage());
        }
    }
}
