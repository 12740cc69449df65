package io.agentprm.cli.eval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.cli.run.TinyRun;
import io.agentprm.core.eval.EvaluationReport;
import io.agentprm.core.eval.Tally;
import io.agentprm.core.pipeline.EvaluationRun;
import io.agentprm.core.pipeline.ResultsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvalCommandTest {
    @TempDir private static Path shared;
    private static Path run;

    @TempDir private Path directory;

    @BeforeAll
    static void trainSomething() {
        run = shared.resolve("run");
        TinyRun.run(run);
    }

    @Test
    void lastPolicyIsJudgedAsTheRunItselfDid() {
        Path out = directory.resolve("out");
        String printed = eval("--out", out.toString());
        assertEquals(inRun("pi-2"), EvaluationReport.read(out.resolve(EvaluationRun.REPORT)).all());
        assertTrue(printed.contains("pi-2 (temperature 1.0) on toy-mdp, split valid"), printed);
        assertTrue(printed.contains("fetch"), printed);
        Tally search =
                EvaluationReport.read(out.resolve(EvaluationRun.REPORT)).categories().get("search");
        String row =
                "search +80 +%.1f +\\[.*] +%.1f +\\[.*] +[0-9.]+"
                        .formatted(
                                100 * search.success().value(),
                                100 * search.score().orElseThrow().value());
        assertTrue(printed.lines().anyMatch(line -> line.strip().matches(row)), printed);
    }

    @Test
    void choosingGivesTheRunsOwnResult() {
        eval("--iteration", "0", "--choose", "best-of-n", "--out", out("best"));
        assertEquals(inRun("best-of-n(pi-0, Q-0)"), tally("best"));
        eval("--iteration", "2", "--choose", "majority-vote", "--n", "4", "--out", out("vote"));
        assertEquals(inRun("majority-vote(pi-2, Q-1)"), tally("vote"));
    }

    @Test
    void modelDirectoriesNeedNoRun() {
        String printed =
                TinyRun.execute(
                        new EvalCommand(),
                        List.of(
                                run.resolve("config.yaml").toString(),
                                "--model",
                                run.resolve("policy-0/model").toString(),
                                "--choose",
                                "best-of-n",
                                "--reward-model",
                                run.resolve("iteration-1/prm/model").toString(),
                                "--out",
                                out("model")));
        assertTrue(printed.startsWith("best-of-n(model, "), printed);
        assertEquals(inRun("best-of-n(pi-0, Q-0)"), tally("model"));
    }

    @Test
    void comparisonIsPaired() {
        eval("--iteration", "0", "--out", out("first"));
        String printed = eval("--compare", out("first"), "--out", out("last"));
        assertTrue(printed.contains("pi-2 - pi-0: +"), printed);
        assertTrue(printed.contains("pi-2 - pi-0, score: +"), printed);
        assertTrue(printed.contains("160 pairs of 40 tasks"), printed);
        assertFalse(printed.contains("warning"), printed);
    }

    @Test
    void theEngineAndItsDeviceAreInReportAndText() throws IOException {
        String printed = eval("--tasks", "3", "--out", out("engine"));
        EvaluationReport report =
                EvaluationReport.read(directory.resolve("engine").resolve(EvaluationRun.REPORT));
        assertEquals("tabular", report.setup().versions().get("engine"));
        assertEquals("cpu", report.setup().versions().get("device"));
        assertTrue(printed.contains("engine: tabular; device: cpu"), printed);
        String page = Files.readString(run.resolve("report.html"));
        assertTrue(page.replaceAll("<[^>]*>|\\s", "").contains("enginetabular"), "report.html");
    }

    /** Directories that were written before engines were recorded go on, and compare. */
    @Test
    void anEvaluationThatDoesNotNameItsEngineStaysAsItIs() throws IOException {
        eval("--iteration", "0", "--out", out("old"));
        Path old = directory.resolve("old");
        for (String name : List.of("run.json", EvaluationRun.REPORT)) {
            Path file = old.resolve(name);
            String without =
                    Files.readString(file)
                            .replaceFirst(",\\s*\"device\"\\s*:\\s*\"cpu\"", "")
                            .replaceFirst(",\\s*\"engine\"\\s*:\\s*\"tabular\"", "");
            assertFalse(without.contains("tabular") || without.contains("device"), without);
            Files.writeString(file, without);
        }
        Map<String, Integer> before = TinyRun.contents(old);
        String first = eval("--compare", out("old"), "--out", out("new"));
        assertTrue(first.contains("160 pairs of 40 tasks"), first);
        assertFalse(first.contains("warning"), first);
        String again = eval("--iteration", "0", "--out", out("old"), "--compare", out("new"));
        assertFalse(again.contains("engine"), again);
        assertEquals(before, TinyRun.contents(old));
    }

    @Test
    void otherDataAreWarnedAbout() {
        eval("--set", "environment.process=house", "--out", out("house"));
        String printed = eval("--compare", out("house"), "--out", out("other"));
        assertTrue(printed.contains("warning: results are not comparable: content hash"), printed);
    }

    @Test
    void secondEvaluationOfADirectoryPlaysNothingAndSaysSo() throws Exception {
        String first = eval("--tasks", "7", "--episodes", "2", "--seed", "5");
        Path made = run.resolve("evaluations/pi-2_valid_7-tasks_2-episodes_seed-5");
        Map<String, Integer> before = TinyRun.contents(made);
        Object written = Files.getLastModifiedTime(made.resolve("trajectories"));
        String second = eval("--tasks", "7", "--episodes", "2", "--seed", "5");
        assertFalse(first.contains("nothing was played"), first);
        assertTrue(second.startsWith(first), second);
        assertTrue(second.substring(first.length()).contains("nothing was played"), second);
        assertEquals(before, TinyRun.contents(made));
        assertEquals(written, Files.getLastModifiedTime(made.resolve("trajectories")));
    }

    @Test
    void missingIterationIsNamed() {
        AssertionError error =
                assertThrows(
                        AssertionError.class, () -> eval("--iteration", "9", "--out", out("x")));
        assertTrue(error.getMessage().contains("has no policy pi-9"), error.getMessage());
    }

    private static String eval(String... arguments) {
        List<String> all = new ArrayList<>(List.of(run.toString()));
        all.addAll(List.of(arguments));
        return TinyRun.execute(new EvalCommand(), all);
    }

    private String out(String name) {
        return directory.resolve(name).toString();
    }

    private Tally tally(String name) {
        return EvaluationReport.read(directory.resolve(name).resolve(EvaluationRun.REPORT)).all();
    }

    private static Tally inRun(String agent) {
        return ResultsFile.read(run.resolve(ResultsFile.NAME)).agents().stream()
                .filter(result -> result.agent().equals(agent) && !result.scaling())
                .findFirst()
                .orElseThrow()
                .all();
    }

    @Test
    void whatOnlyChoosingAsksForIsRefusedWithoutIt() {
        refused("--n has no effect on the bare policy", "--n", "4");
        refused("--reward-model has no effect on the bare policy", "--reward-model", "0");
    }

    @Test
    void noCandidatesAreRefused() {
        refused("--n is 0; it must be at least 1", "--choose", "best-of-n", "--n", "0");
    }

    @Test
    void whatDoesNotChooseIsNoWayOfChoosing() {
        refused("'toy-expert' does not choose", "--choose", "toy-expert", "--out", out("expert"));
    }

    @Test
    void valuesOutOfRangeAreRefusedWithTheirOption() {
        refused("--tasks must be at least 0, was -1", "--tasks", "-1");
        refused("--temperature must be at least 0, was -1", "--temperature", "-1");
    }

    private static void refused(String message, String... arguments) {
        AssertionError error = assertThrows(AssertionError.class, () -> eval(arguments));
        assertTrue(error.getMessage().contains(message), error.getMessage());
    }
}
