package io.agentprm.cli.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class AlfworldCheckCommandTest {
    @TempDir private Path directory;
    private final StringWriter out = new StringWriter();

    @Test
    void recordingOfAGameThatIsMissingFailsTheCheck() throws IOException {
        Path recording = directory.resolve("recording.jsonl");
        Files.writeString(
                recording,
                "{\"game\":\"json_2.1.1/train/none/game.tw-pddl\","
                        + "\"reset\":{\"obs\":\"\",\"admissible\":[],\"won\":false},\"traces\":{}}\n");
        assertEquals(1, check("--data", directory.toString(), recording.toString()));
        assertTrue(out.toString().strip().endsWith("1 mismatches"), out.toString());
    }

    @Test
    void absentDataDirectoryIsRefusedWithoutChecking() {
        assertEquals(2, check("--data", directory.resolve("none").toString(), "x.jsonl"));
        assertTrue(out.toString().contains("--data"), out.toString());
    }

    @Test
    void absentRecordingIsRefusedWithoutChecking() {
        assertEquals(2, check("--data", directory.toString(), "no-such-recording.jsonl"));
        assertTrue(out.toString().contains("no-such-recording.jsonl"), out.toString());
    }

    private int check(String... arguments) {
        CommandLine line = new CommandLine(new AlfworldCheckCommand());
        line.setExecutionExceptionHandler(
                (error, command, parsed) -> {
                    command.getOut().println(error.getMessage());
                    return 2;
                });
        return line.setOut(new PrintWriter(out, true)).execute(arguments);
    }
}
