package io.agentprm.cli.eval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.cli.run.TinyRun;
import io.agentprm.core.pipeline.ResultsFile;
import io.agentprm.core.report.Comparison;
import io.agentprm.core.report.Estimate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolCommandTest {
    @TempDir private static Path runs;
    private static Path one;
    private static Path two;

    @BeforeAll
    static void trainTwice() {
        one = runs.resolve("one");
        two = runs.resolve("two");
        TinyRun.run(one);
        TinyRun.run(two, "--set", "seed=2");
    }

    @Test
    void runsOfTwoSeedsAreOneTable() {
        String printed = pool("--markdown", one.toString(), two.toString());
        List<String> rows = printed.lines().toList();
        assertTrue(rows.get(2).startsWith("| pi-0 | 320 | "), printed);
        double first = share(one);
        double second = share(two);
        assertTrue(
                rows.get(2).contains("%.1f, %.1f".formatted(100 * first, 100 * second)), printed);
        assertTrue(clearlyBetter(rows, "pi-2"), printed);
        assertTrue(clearlyBetter(rows, "best-of-n(pi-0, Q-0)"), printed);
        assertFalse(clearlyBetter(rows, "random-choice(pi-0, Q-0)"), printed);
    }

    /** Whether the whole interval of an agent's difference lies above 0. */
    private static boolean clearlyBetter(List<String> rows, String agent) {
        String row =
                rows.stream()
                        .filter(line -> line.startsWith("| " + agent + " |"))
                        .findFirst()
                        .orElseThrow();
        return row.matches(".*\\| \\+[0-9.]+ \\[\\+[0-9.]+, \\+[0-9.]+] \\|");
    }

    @Test
    void oneRunAloneGivesItsOwnDifferences() {
        String expected =
                ResultsFile.read(one.resolve(ResultsFile.NAME)).comparisons().stream()
                        .filter(c -> c.agent().equals("pi-1") && c.baseline().equals("pi-0"))
                        .map(c -> "%+.1f".formatted(100 * c.difference().value()))
                        .findFirst()
                        .orElseThrow();
        String row =
                pool(one.toString())
                        .lines()
                        .filter(line -> line.startsWith("pi-1 "))
                        .findFirst()
                        .orElseThrow();
        assertTrue(row.contains(expected), row);
    }

    /** The cellar of the house pays a half, which is no success. */
    @Test
    void runsArePooledByScoreToo() {
        String printed = pool("--markdown", "--measure", "score", one.toString(), two.toString());
        List<String> rows = printed.lines().toList();
        assertTrue(rows.get(0).startsWith("| agent | episodes | score | by run |"), printed);
        double first = score(one);
        double second = score(two);
        assertTrue(first > share(one) && second > share(two), "a half is more than nothing");
        assertTrue(
                rows.get(2)
                        .startsWith(
                                "| pi-0 | 320 | %.1f | %.1f, %.1f |"
                                        .formatted(
                                                50 * (first + second), 100 * first, 100 * second)),
                printed);
        assertTrue(clearlyBetter(rows, "pi-2"), printed);
    }

    @Test
    void aRunAloneGivesItsOwnDifferencesOfScore() {
        Estimate difference =
                ResultsFile.read(one.resolve(ResultsFile.NAME)).comparisons().stream()
                        .filter(c -> c.agent().equals("pi-1") && c.baseline().equals("pi-0"))
                        .findFirst()
                        .flatMap(Comparison::score)
                        .orElseThrow();
        String printed = pool("--measure", "score", one.toString());
        assertTrue(
                printed.contains(
                        "%+.1f [%+.1f, %+.1f]"
                                .formatted(
                                        100 * difference.value(),
                                        100 * difference.low(),
                                        100 * difference.high())),
                printed);
    }

    /** Runs of earlier versions have stored their episodes, and no score. */
    @Test
    void aRunWhoseResultsHoldNoScoreIsPooledByScore() throws IOException {
        String expected = pool("--measure", "score", one.toString());
        Path file = one.resolve(ResultsFile.NAME);
        String written = Files.readString(file);
        String older = written.replaceAll(",?\\s*\"score\"\\s*:\\s*\\{[^}]*}", "");
        assertFalse(older.contains("\"score\""), older);
        try {
            Files.writeString(file, older);
            assertEquals(Optional.empty(), ResultsFile.read(file).agents().get(0).all().score());
            assertEquals(expected, pool("--measure", "score", one.toString()));
        } finally {
            Files.writeString(file, written);
        }
    }

    private static double score(Path run) {
        return ResultsFile.read(run.resolve(ResultsFile.NAME))
                .agents()
                .get(0)
                .all()
                .score()
                .orElseThrow()
                .value();
    }

    @Test
    void runsOfOtherTasksAreRefused() {
        Path other = runs.resolve("other");
        TinyRun.run(other, "--set", "evaluation.controls=[]");
        AssertionError error =
                assertThrows(AssertionError.class, () -> pool(one.toString(), other.toString()));
        assertTrue(error.getMessage().contains("differ in their seeds only"), error.getMessage());
        assertThrows(AssertionError.class, () -> pool(runs.resolve("none").toString()));
    }

    @Test
    void twoRecipesAreComparedSeedBySeed() {
        Path third = runs.resolve("third");
        Path fourth = runs.resolve("fourth");
        String fewer = "loop.optimizer.steps=1";
        TinyRun.run(third, "--set", fewer, "--set", "seed=2");
        TinyRun.run(fourth, "--set", fewer);
        List<String> rows =
                pool("--markdown", "--compare", third + "," + fourth, one + "", two + "")
                        .lines()
                        .toList();
        assertTrue(rows.get(0).endsWith("| to the others, points |"), rows::toString);
        assertTrue(rows.get(2).endsWith("| +0.0 [+0.0, +0.0] |"), "pi-0 is the same: " + rows);
        assertTrue(clearlyBetter(rows, "pi-2"), rows::toString);
        AssertionError error =
                assertThrows(
                        AssertionError.class,
                        () -> pool("--compare", third.toString(), one.toString()));
        assertTrue(error.getMessage().contains("the same seeds"), error.getMessage());
    }

    @Test
    void aRunCountsOnce() {
        AssertionError error =
                assertThrows(AssertionError.class, () -> pool(one.toString(), one.toString()));
        assertTrue(error.getMessage().contains("give each run once"), error.getMessage());
    }

    private static double share(Path run) {
        ResultsFile.AgentResult agent =
                ResultsFile.read(run.resolve(ResultsFile.NAME)).agents().get(0);
        assertEquals("pi-0", agent.agent());
        return agent.all().success().value();
    }

    private static String pool(String... arguments) {
        return TinyRun.execute(new PoolCommand(), List.of(arguments));
    }
}
