package io.agentprm.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.core.config.ConfigBinder;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.pipeline.PrmResults;
import io.agentprm.core.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainPrmCommandTest {
    private static final String[] TABULAR = {
        "--set", "engine=tabular",
        "--set", "models.type=tabular",
        "--set", "models.process=stochastic-house",
        "--set", "prm.learning-rate=0.2",
        "--set", "prm.epochs=4"
    };

    @TempDir private static Path shared;
    private static Path played;

    @TempDir private Path directory;

    @BeforeAll
    static void play() {
        Path run = shared.resolve("run");
        TinyRun.run(run, "--set", "loop.iterations=1");
        played = run.resolve("iteration-1/rollouts");
    }

    @Test
    void modelTellsGoodTurnsFromBadOnesOfUnseenTasks() throws IOException {
        String printed = train(played, TABULAR);
        PrmResults results = results();
        // Chance is 0.5. The labels are noisy means of few episodes, and a table scores 0 where the
        // history was never seen, so that much more is not to be had.
        assertTrue(results.heldOut().orElseThrow().auc().orElseThrow() > 0.6, printed);
        assertTrue(results.heldOut().orElseThrow().calibrationError() < 0.2, printed);
        assertTrue(Files.isDirectory(directory.resolve("out/prm/model")));
        assertTrue(Files.readString(directory.resolve("out/report.html")).contains("kept back"));
    }

    @Test
    void reportShowsCurvesTargetsScoresAndCalibration() throws IOException {
        train(played, TABULAR);
        String report = Files.readString(directory.resolve("out/report.html"));
        for (String title :
                List.of(
                        "prm: prm.loss, prm.held-out-loss",
                        "prm: prm.held-out-auc, prm.held-out-accuracy",
                        "Targets of prm",
                        "Scores of prm on tasks kept back",
                        "Brier score")) {
            assertTrue(report.contains(title), title);
        }
    }

    @Test
    void theEngineAndItsDeviceAreRecordedAndReported() throws IOException {
        train(played, TABULAR);
        Map<String, String> versions = RunDirectory.info(directory.resolve("out")).versions();
        assertEquals("tabular", versions.get("engine"));
        assertEquals("cpu", versions.get("device"));
        String page = Files.readString(directory.resolve("out/report.html"));
        assertTrue(page.replaceAll("<[^>]*>|\\s", "").contains("enginetabular"), "report.html");
    }

    @Test
    void secondTrainingOfADirectoryDoesNothing() throws IOException {
        String printed = train(played, TABULAR);
        Map<String, Integer> before = TinyRun.contents(directory.resolve("out"));
        assertEquals(printed, train(played, TABULAR));
        assertEquals(before, TinyRun.contents(directory.resolve("out")));
    }

    @Test
    void trajectoriesCountOnce() {
        List<String> twice = new ArrayList<>(List.of(TABULAR));
        twice.add(played.resolve("../rollouts").toString());
        AssertionError error =
                assertThrows(
                        AssertionError.class, () -> train(played, twice.toArray(String[]::new)));
        assertTrue(error.getMessage().contains("is given twice"), error.getMessage());
    }

    @Test
    void policyMayBeTheStart() {
        List<String> more = new ArrayList<>(List.of(TABULAR));
        more.addAll(List.of("--policy", played.resolve("../../policy-0/model").toString()));
        train(played, more.toArray(String[]::new));
        assertTrue(results().heldOut().isPresent());
    }

    @Test
    void wrongPolicyLeavesTheDirectoryToTheRightOne() {
        List<String> wrong = new ArrayList<>(List.of(TABULAR));
        wrong.addAll(List.of("--policy", directory.resolve("nothing").toString()));
        assertThrows(AssertionError.class, () -> train(played, wrong.toArray(String[]::new)));
        train(played, TABULAR);
        assertTrue(results().heldOut().isPresent());
    }

    @Test
    @Tag("slow")
    void episodesOfOneFileEachTrainATransformer() throws IOException {
        Path logs = Files.createDirectory(directory.resolve("logs"));
        for (int i = 0; i < 24; i++) {
            Files.writeString(logs.resolve(i + ".json"), episode(i, i % 2 == 0));
        }
        train(
                logs,
                "--set",
                "models.architecture={hidden: 16, layers: 1, heads: 2, intermediate: 32, context:"
                        + " 128}",
                "--set",
                "prm={type: prm, epochs: 20, learning-rate: 1.0e-2, hold-out: 0}",
                "--set",
                "test-share=0.3");
        PrmResults results = results();
        assertTrue(results.heldOut().orElseThrow().auc().orElseThrow() > 0.9, results.toString());
    }

    @Test
    void anEngineThatDoesNotTrainIsRefused() {
        AssertionError error =
                assertThrows(AssertionError.class, () -> train(played, "--set", "engine=onnx"));
        assertTrue(error.getMessage().contains("does not train"), error.getMessage());
    }

    @Test
    void emptyDirectoryIsRefused() throws IOException {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        AssertionError error = assertThrows(AssertionError.class, () -> train(empty, TABULAR));
        assertTrue(error.getMessage().contains("holds no episodes"), error.getMessage());
    }

    /** A failure ends with the wrong drawer. */
    private static String episode(int number, boolean success) {
        String drawer = success ? "left" : "right";
        return String.format(
                Locale.ROOT,
                """
                {"gamefile": "data/train/look-Mug-%d/trial/game.tw-pddl", "task": "find the mug",
                 "trajectory": [
                  {"observation": "A room with two drawers.", "candidate_actions": ["left", "right"],
                   "reason": "", "action": "%s", "score": %d}]}
                """,
                number,
                drawer,
                success ? 1 : 0);
    }

    private String train(Path input, String... more) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(input.toString(), "--out", directory.resolve("out").toString()));
        arguments.addAll(List.of(more));
        return TinyRun.execute(new TrainPrmCommand(), arguments);
    }

    private PrmResults results() {
        return ConfigBinder.tolerant()
                .bind(ConfigNode.read(directory.resolve("out/results.json")), PrmResults.class);
    }
}
