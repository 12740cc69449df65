package io.agentprm.cli.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.cli.run.TinyRun;
import io.agentprm.cli.run.TrainPrmCommand;
import io.agentprm.core.context.StopSignal;
import io.agentprm.core.store.TrajectoryFiles;
import io.agentprm.testkit.ToyEnvironmentProvider;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person has played and recorded is trained on, as it is. */
class RecordedPlayTest {
    private static final String TOY = new ToyEnvironmentProvider().name();

    @TempDir private static Path shared;
    private static Path file;

    @TempDir private Path directory;

    @BeforeAll
    static void play() {
        file = shared.resolve("mine.jsonl.gz");
        for (int task = 0; task < 12; task++) {
            for (String typed : List.of("left\nopen\n", "right\nopen\n", "open\n")) {
                TinyRun.execute(
                        new PlayCommand(new StringReader(typed.repeat(20)), new StopSignal()),
                        List.of(
                                "--environment",
                                TOY,
                                "--set",
                                "process=stochastic-house",
                                "--set",
                                "tasks-per-split=40",
                                "--task",
                                Integer.toString(task),
                                "--record",
                                file.toString()));
            }
        }
    }

    @Test
    void aRunStartsFromThemAndKeepsACopy() throws Exception {
        Path run = directory.resolve("run");
        String[] fromFiles = {
            "--set",
            "demonstrations={files: [" + file + "], successful-only: true}",
            "--set",
            "loop.iterations=1"
        };
        String printed = TinyRun.run(run, fromFiles);
        List<Trajectory> recorded = TrajectoryFiles.trajectories().read(file);
        assertEquals(36, recorded.size());
        Path copy = run.resolve("demonstrations/recorded.jsonl.gz");
        assertEquals(36, TrajectoryFiles.trajectories().read(copy).size());
        long successes = recorded.stream().filter(Trajectory::success).count();
        assertTrue(
                Files.readString(run.resolve("report.html"))
                        .contains("from " + successes + " demonstrations"),
                printed);
        // The same command goes on although the file is gone by now.
        Files.move(file, directory.resolve("gone"));
        try {
            assertEquals(printed, TinyRun.run(run, fromFiles));
        } finally {
            Files.move(directory.resolve("gone"), file);
        }
    }

    @Test
    @Tag("slow")
    void aTransformerIsTrainedOnWhatWasBoughtAndScoresTheNextPurchase() {
        Path bought = directory.resolve("bought.jsonl.gz");
        List<String> shop =
                List.of("--environment", "webshop", "--set", "generator.products=60", "--task");
        for (int task = 0; task < 6; task++) {
            for (String typed :
                    List.of(
                            "search[<r>]\nclick[next >]\nclick[< prev]\n3\nclick[buy now]\n",
                            "search[<r>]\n3\nclick[features]\nclick[< prev]\nclick[buy now]\n")) {
                List<String> arguments = new ArrayList<>(shop);
                arguments.addAll(List.of(Integer.toString(task), "--record", bought.toString()));
                TinyRun.execute(
                        new PlayCommand(new StringReader(typed), new StopSignal()), arguments);
            }
        }
        assertEquals(12, TrajectoryFiles.trajectories().read(bought).size());
        TinyRun.execute(
                new TrainPrmCommand(),
                List.of(
                        bought.toString(),
                        "--out",
                        directory.resolve("prm").toString(),
                        "--set",
                        "models.architecture={hidden: 16, layers: 1, heads: 2, intermediate: 32,"
                                + " context: 2048}",
                        "--set",
                        "prm={type: prm, epochs: 1, hold-out: 0}",
                        "--set",
                        "test-share=0"));
        List<String> arguments = new ArrayList<>(shop);
        arguments.addAll(
                List.of("0", "--reward-model", directory.resolve("prm/prm/model").toString()));
        String played =
                TinyRun.execute(
                        new PlayCommand(new StringReader("search[<r>]\nquit\n"), new StopSignal()),
                        arguments);
        assertTrue(
                played.lines()
                        .anyMatch(line -> line.matches(" *1  [01]\\.[0-9]{3}  click\\[.*\\]")),
                played);
    }

    @Test
    void aRewardModelIsTrainedOnThem() {
        String printed =
                TinyRun.execute(
                        new TrainPrmCommand(),
                        List.of(
                                file.toString(),
                                "--out",
                                directory.resolve("prm").toString(),
                                "--set",
                                "engine=tabular",
                                "--set",
                                "models={type: tabular, process: stochastic-house}",
                                "--set",
                                "prm={type: prm, epochs: 4, learning-rate: 0.2}"));
        assertTrue(printed.startsWith("36 trajectories"), printed);
        assertTrue(Files.isDirectory(directory.resolve("prm/prm/model")));
        // And it advises the next who plays.
        String played =
                TinyRun.execute(
                        new PlayCommand(new StringReader("quit\n"), new StopSignal()),
                        List.of(
                                "--environment",
                                TOY,
                                "--set",
                                "process=stochastic-house",
                                "--reward-model",
                                directory.resolve("prm/prm/model").toString()));
        assertTrue(played.contains("Scores by "), played);
        assertTrue(
                played.lines().anyMatch(line -> line.matches("  1  0\\.[0-9]{3}  [a-z]+")), played);
    }
}
