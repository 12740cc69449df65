package io.agentprm.cli.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ModelCheckCommandTest {
    @TempDir private Path directory;
    private final StringWriter out = new StringWriter();

    @Test
    void absentModelIsRefusedWithoutChecking() {
        Path none = directory.resolve("none");
        assertEquals(2, check(none.toString(), "numbers.json.gz"));
        assertTrue(out.toString().contains(none.toString()), out.toString());
    }

    @Test
    void absentNumbersAreRefusedWithoutChecking() {
        assertEquals(2, check(directory.toString(), "no-such-numbers.json.gz"));
        assertTrue(out.toString().contains("no-such-numbers.json.gz"), out.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"djl", "onnx"})
    void numbersOfTheSameModelPassAndThoseOfAnotherFail(String engine) {
        Path reference = reference();
        String model = reference.resolve("models/llama32-tied").toString();
        Path own = reference.resolve("expected/llama32-tied.json.gz");
        Path other = reference.resolve("expected/llama-untied.json.gz");
        assertEquals(0, check("--engine", engine, model, own.toString()), out::toString);
        assertEquals(1, check("--engine", engine, model, other.toString()), out::toString);
    }

    @Test
    void aFileWithoutNumbersFails() throws IOException {
        Path model = reference().resolve("models/llama32-tied");
        for (String nothing : List.of("", "{}", "[]", "{\"model\": \"llama32-tied\"}")) {
            Path file = directory.resolve("numbers.json.gz");
            try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(file))) {
                gzip.write(nothing.getBytes(StandardCharsets.UTF_8));
            }
            assertEquals(1, check("--engine", "onnx", model.toString(), file.toString()), nothing);
        }
    }

    private static Path reference() {
        for (Path p = Path.of("").toAbsolutePath(); p != null; p = p.getParent()) {
            Path candidate = p.resolve("shared/hf");
            if (Files.isDirectory(candidate)) {
                return candidate;
            }
        }
        assumeTrue(false, "no folder shared/hf beside the checkout or above it");
        return Path.of("");
    }

    private int check(String... arguments) {
        CommandLine line = new CommandLine(new ModelCheckCommand());
        line.setExecutionExceptionHandler(
                (error, command, parsed) -> {
                    command.getOut().println(error.getMessage());
                    return 2;
                });
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(out, true))
                .execute(arguments);
    }
}
