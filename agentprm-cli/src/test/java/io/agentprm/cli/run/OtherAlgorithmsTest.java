package io.agentprm.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.core.config.ConfigBinder;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.pipeline.PrmResults;
import io.agentprm.core.pipeline.ResultsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The loop with other ways to a reward model, by configuration alone. */
class OtherAlgorithmsTest {
    private static final String[] TD_GAE = {
        "--set", "loop.iterations=1", "--set", "loop.targets={type: td-gae}"
    };

    private static final String[] INVERSE_PRM = {
        "--set", "loop.iterations=2",
        "--set", "loop.prm-start=previous",
        "--set", "demonstrations.expert.noise=0.1",
        "--set", "demonstrations.episodes=4",
        "--set", "loop.prm={type: inverse-prm, epochs: 4, learning-rate: 0.1}",
        // Little imitation, so that there is something left to learn from the demonstrations.
        "--set", "sft={type: sft, batch-trajectories: 64, learning-rate: 0.01}"
    };

    @TempDir private Path directory;

    /** Lower end of the interval of an agent's gain over another. */
    private static double gain(ResultsFile results, String agent, String baseline) {
        return results.comparisons().stream()
                .filter(c -> c.agent().equals(agent) && c.baseline().equals(baseline))
                .findFirst()
                .orElseThrow()
                .difference()
                .low();
    }

    private static Map<String, Double> figures(ResultsFile results, String model) {
        return results.training().get(model).figures();
    }

    @Test
    void temporalDifferencesTakeThePlaceOfMonteCarloTargets() throws IOException {
        Path run = directory.resolve("run");
        TinyRun.run(run, TD_GAE);
        ResultsFile results = ResultsFile.read(run.resolve(ResultsFile.NAME));
        assertTrue(gain(results, "best-of-n(pi-0, Q-0)", "pi-0") > 0, results.toString());
        assertTrue(gain(results, "pi-1", "pi-0") > 0, results.toString());
        assertTrue(figures(results, "Q-0").get("prm.progress") > 0);
        assertTrue(figures(results, "Q-0").get("prm.held-out-auc") > 0.5);
        String report = Files.readString(run.resolve("report.html"));
        for (String title : List.of("Q-0: prm.loss", "Targets of Q-0", "Q-0 in evaluation")) {
            assertTrue(report.contains(title), title);
        }
        Path again = directory.resolve("again");
        TinyRun.run(again, TD_GAE);
        assertEquals(TinyRun.contents(run), TinyRun.contents(again));
    }

    @Test
    void temporalDifferencesTrainOnTrajectoriesThatExist() throws IOException {
        Path run = directory.resolve("run");
        TinyRun.run(run, TD_GAE);
        Path out = directory.resolve("prm");
        String printed =
                TinyRun.execute(
                        new TrainPrmCommand(),
                        List.of(
                                run.resolve("iteration-1/rollouts").toString(),
                                "--out",
                                out.toString(),
                                "--set",
                                "engine=tabular",
                                "--set",
                                "models={type: tabular, process: stochastic-house}",
                                "--set",
                                "targets=td-gae",
                                "--set",
                                "prm={type: prm, learning-rate: 0.2, epochs: 4}"));
        PrmResults results =
                ConfigBinder.tolerant()
                        .bind(ConfigNode.read(out.resolve("results.json")), PrmResults.class);
        assertTrue(results.figures().containsKey("prm.progress"), printed);
        assertTrue(results.heldOut().orElseThrow().auc().orElseThrow() > 0.55, printed);
    }

    @Test
    void demonstrationsTakeThePlaceOfOutcomes() throws IOException {
        Path run = directory.resolve("run");
        TinyRun.run(run, INVERSE_PRM);
        ResultsFile results = ResultsFile.read(run.resolve(ResultsFile.NAME));
        assertTrue(gain(results, "best-of-n(pi-0, Q-0)", "pi-0") > 0, results.toString());
        assertTrue(gain(results, "pi-2", "pi-0") > 0, results.toString());
        assertTrue(figures(results, "Q-1").get("prm.held-out-accuracy") > 0.6);
        assertFalse(Files.exists(run.resolve("iteration-1/targets")));
        String report = Files.readString(run.resolve("report.html"));
        assertTrue(report.contains("no probabilities of success"));
        assertTrue(report.contains("Q-0: prm.loss, prm.held-out-loss"));
        assertFalse(report.contains("Targets of Q-0"));
        assertFalse(report.contains("Q-0 on executed actions"));
        Path again = directory.resolve("again");
        TinyRun.run(again, INVERSE_PRM);
        assertEquals(TinyRun.contents(run), TinyRun.contents(again));
    }

    @Test
    void aPlanNamesNoTargetsWhereNoneAreEstimated() {
        String[] dry = Arrays.copyOf(INVERSE_PRM, INVERSE_PRM.length + 1);
        dry[INVERSE_PRM.length] = "--dry-run";
        String plan = TinyRun.run(directory.resolve("run"), dry);
        assertTrue(plan.contains("iteration-2/prm"), plan);
        assertTrue(plan.contains("inverse-prm"), plan);
        assertFalse(plan.contains("targets"), plan);
    }

    @Test
    void trajectoriesAloneAreNoDemonstrations() throws IOException {
        Path empty = Files.createDirectory(directory.resolve("logs"));
        AssertionError error =
                assertThrows(
                        AssertionError.class,
                        () ->
                                TinyRun.execute(
                                        new TrainPrmCommand(),
                                        List.of(
                                                empty.toString(),
                                                "--out",
                                                directory.resolve("prm").toString(),
                                                "--set",
                                                "engine=tabular",
                                                "--set",
                                                "models={type: tabular, process: house}",
                                                "--set",
                                                "prm=inverse-prm")));
        assertTrue(error.getMessage().contains("use it in a run, as loop.prm"), error.getMessage());
    }
}
