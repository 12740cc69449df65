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

class WebshopCheckCommandTest {
    @TempDir private Path directory;
    private final StringWriter out = new StringWriter();

    @Test
    void differenceFailsTheCheckAndNoneDoesNot() throws IOException {
        Path nouns = Files.writeString(directory.resolve("nouns.json"), "{\"titles\": {}}");
        Path colours = directory.resolve("colours.json");
        Files.writeString(colours, "[{\"input\": \"a1-purple\", \"output\": \"purple\"}]");
        String[] arguments = {
            "--data",
            directory.toString(),
            "--nouns",
            nouns.toString(),
            "--storage",
            "disk",
            colours.toString()
        };
        assertEquals(0, check(arguments), out::toString);
        assertTrue(out.toString().strip().endsWith("1 comparisons, 0 mismatches"), out.toString());
        Files.writeString(colours, "[{\"input\": \"a1-purple\", \"output\": \"blue\"}]");
        assertEquals(1, check(arguments));
        assertTrue(out.toString().strip().endsWith("1 comparisons, 1 mismatches"), out.toString());
    }

    @Test
    void absentDataDirectoryIsRefusedWithoutChecking() {
        assertEquals(2, check("--data", directory.resolve("none").toString(), "x.json"));
        assertTrue(out.toString().contains("--data"), out.toString());
    }

    @Test
    void absentRecordingIsRefusedWithoutChecking() {
        assertEquals(2, check("--data", directory.toString(), "no-such-recording.json"));
        assertTrue(out.toString().contains("no-such-recording.json"), out.toString());
    }

    private int check(String... arguments) {
        CommandLine line = new CommandLine(new WebshopCheckCommand());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler(
                (error, command, parsed) -> {
                    command.getOut().println(error.getMessage());
                    return 2;
                });
        return line.setOut(new PrintWriter(out, true)).execute(arguments);
    }
}
