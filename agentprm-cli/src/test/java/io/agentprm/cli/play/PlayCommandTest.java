package io.agentprm.cli.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.testkit.ToyEnvironmentProvider;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private int play(String typed, String... arguments) {
        CommandLine line = new CommandLine(new PlayCommand(new StringReader(typed)));
        line.setExecutionExceptionHandler(
                (error, command, parsed) -> {
                    command.getOut().println(error.getMessage());
                    return 2;
                });
        return line.setOut(new PrintWriter(out, true)).execute(arguments);
    }
}
