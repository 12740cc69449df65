package io.agentprm.cli.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.core.context.StopSignal;
import io.agentprm.core.store.TrajectoryFiles;
import io.agentprm.testkit.ToyEnvironmentProvider;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PlayCommandTest {
    private static final String TOY = new ToyEnvironmentProvider().name();

    private final StringWriter out = new StringWriter();

    @Test
    void environmentIsFoundByItsName() {
        assertEquals(0, play("left\nopen\n", "--environment", TOY, "--split", "valid"));
        assertTrue(out.toString().contains("Won after 2 actions"), out.toString());
    }

    @Test
    void taskIsFoundByItsId() {
        assertEquals(0, play("quit\n", "--environment", TOY, "--task", "train-1"));
        assertTrue(out.toString().startsWith("train/train-1"), out.toString());
    }

    @Test
    void unknownTaskNamesSomeThatExist() {
        assertEquals(2, play("", "--environment", TOY, "--task", "77"));
        assertTrue(out.toString().contains("such as [train-0"), out.toString());
    }

    @Test
    void runWithoutARewardModelSaysWhatIsMissing(@TempDir Path run) throws IOException {
        Files.writeString(
                run.resolve("config.yaml"),
                "name: x\nenvironment: " + TOY + "\nengine: djl\nmodels: transformer\n");
        assertEquals(2, play("", "--run", run.toString()));
        assertTrue(out.toString().contains("has no reward model yet"), out.toString());
    }

    @Test
    void finishedEpisodesAreRecordedAndLeftOnesAreNot(@TempDir Path directory) {
        Path file = directory.resolve("mine.jsonl.gz");
        String[] recording = {
            "--environment", TOY, "--record", file.toString(), "--player", "me", "--task", "2"
        };
        assertEquals(0, play("left\nopen\n", recording));
        assertEquals(0, play("left\nquit\n", recording));
        assertEquals(0, play("open\n", recording));
        List<Trajectory> recorded = TrajectoryFiles.trajectories().read(file);
        assertEquals(
                List.of("train-2#0", "train-2#1"),
                recorded.stream().map(one -> one.id().toString()).toList());
        assertEquals(List.of(true, false), recorded.stream().map(Trajectory::success).toList());
        assertEquals("me", recorded.get(0).policyId());
        assertTrue(out.toString().contains("Recorded: 2 episodes in " + file), out.toString());
    }

    @Test
    void aPolicyByItsNameProposes() {
        assertEquals(0, play("quit\n", "--environment", TOY, "--policy", "toy-expert"));
        assertTrue(out.toString().contains("left  (proposed)"), out.toString());
    }

    @Test
    void portsAndSeatsAreChecked() {
        String[] web = {"--environment", TOY, "--web", "--port", "70000"};
        assertEquals(2, play("", web));
        assertTrue(out.toString().contains("--port must lie between 0 and 65535"), out.toString());
        assertEquals(2, play("", "--environment", TOY, "--web", "--sessions", "0"));
        assertEquals(2, play("", "--environment", TOY, "--port", "8080"));
    }

    private int play(String typed, String... arguments) {
        CommandLine line =
                new CommandLine(new PlayCommand(new StringReader(typed), new StopSignal()));
        line.setExecutionExceptionHandler(
                (error, command, parsed) -> {
                    command.getOut().println(error.getMessage());
                    return 2;
                });
        return line.setOut(new PrintWriter(out, true)).execute(arguments);
    }
}
