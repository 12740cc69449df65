package io.agentprm.engine.djl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.lm.testing.SharedData;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against numbers that the real Hugging Face code wrote. */
class ModelCheckTest {
    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "llama32-tied",
                "llama32-tied-bf16",
                "llama32-shortrope",
                "llama-untied",
                "llama-untied-sharded-bf16",
                "llama-seqcls",
                "qwen2-tied",
                "qwen3-tied"
            })
    void everyBlockIsWithinTolerance(String name) {
        StringBuilder report = new StringBuilder();
        boolean passed =
                check().run(
                                SharedData.require("hf/models/" + name),
                                SharedData.require("hf/expected/" + name + ".json.gz"),
                                Optional.empty(),
                                report);
        assertTrue(passed, name + "\n" + report);
    }

    @Test
    void anAdapterIsWithinTolerance() {
        StringBuilder report = new StringBuilder();
        boolean passed =
                check().run(
                                SharedData.require("hf/models/llama32-tied"),
                                SharedData.require("hf/expected/llama32-tied-lora.json.gz"),
                                Optional.of(SharedData.require("hf/adapters/llama32-tied-lora")),
                                report);
        assertTrue(passed, report.toString());
    }

    @Test
    void numbersOfAnotherModelFail() {
        StringBuilder report = new StringBuilder();
        assertFalse(
                check().run(
                                SharedData.require("hf/models/llama32-tied-bf16"),
                                SharedData.require("hf/expected/llama32-tied.json.gz"),
                                Optional.empty(),
                                report));
        assertTrue(report.toString().contains("EXCEEDED"), report.toString());
    }

    @Test
    void forgettingTheAdapterFails() {
        StringBuilder report = new StringBuilder();
        assertFalse(
                check().run(
                                SharedData.require("hf/models/llama32-tied"),
                                SharedData.require("hf/expected/llama32-tied-lora.json.gz"),
                                Optional.empty(),
                                report));
        assertTrue(report.toString().contains("name its directory"), report.toString());
    }

    @Test
    void anUnknownBlockFails() throws IOException {
        Path file = directory.resolve("expected.json.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("{\"model\": \"x\", \"moe\": {}}".getBytes(StandardCharsets.UTF_8));
        }
        StringBuilder report = new StringBuilder();
        Path model = SharedData.require("hf/models/llama-untied");
        assertFalse(check().run(model, file, Optional.empty(), report));
        assertTrue(report.toString().contains("unknown kind"), report.toString());
    }

    @Test
    void numbersMayBeGzippedOrNot() throws IOException {
        Path model = SharedData.require("hf/models/llama-untied");
        Path packed = SharedData.require("hf/expected/llama-untied.json.gz");
        Path plain = directory.resolve("expected.json");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
            Files.copy(in, plain);
        }
        StringBuilder report = new StringBuilder();
        StringBuilder ofPlain = new StringBuilder();
        assertTrue(check().run(model, packed, Optional.empty(), report));
        assertTrue(check().run(model, plain, Optional.empty(), ofPlain));
        assertEquals(report.toString(), ofPlain.toString());
    }

    private static ModelCheck check() {
        return new ModelCheck(DjlEngine.open(DjlConfig.defaults().withThreads(1)));
    }
}
