package io.agentprm.cli.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.cli.eval.EvalCommand;
import io.agentprm.cli.run.RunCommand;
import io.agentprm.cli.run.TinyRun;
import io.agentprm.core.eval.EvaluationReport;
import io.agentprm.core.eval.Tally;
import io.agentprm.core.pipeline.EvaluationRun;
import io.agentprm.core.pipeline.ResultsFile;
import io.agentprm.core.run.RunDirectory;
import io.agentprm.lm.checkpoint.Initialization;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelInitializer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run on ONNX Runtime that is trained on another engine, and its models exported. */
class ExportCommandTest {
    @TempDir private static Path shared;
    private static Path run;

    @TempDir private Path directory;

    @BeforeAll
    static void trainSomething() throws Exception {
        run = shared.resolve("run");
        Path config = Path.of(ExportCommandTest.class.getResource("/onnx-run.yaml").toURI());
        String plan =
                TinyRun.execute(
                        new RunCommand(),
                        List.of(config.toString(), "--out", run.toString(), "--dry-run"));
        assertTrue(
                plan.lines()
                        .anyMatch(
                                line ->
                                        line.contains("onnx, ONNX Runtime 1.")
                                                && line.contains(", on cpu; trained by djl, PyTo")),
                plan);
        TinyRun.execute(new RunCommand(), List.of(config.toString(), "--out", run.toString()));
    }

    @Test
    void bothEnginesAreRecordedWithTheirLibrariesAndDevices() throws IOException {
        Map<String, String> versions = ResultsFile.read(run.resolve(ResultsFile.NAME)).versions();
        assertTrue(versions.get("engine").startsWith("onnx, ONNX Runtime 1."), versions.toString());
        assertTrue(versions.get("trainer").startsWith("djl, PyTorch 2."), versions.toString());
        assertEquals("cpu", versions.get("device"));
        assertTrue(versions.get("trainer device").matches("cpu|cuda:0"), versions.toString());
        assertEquals(versions, RunDirectory.info(run).versions());
        String report = Files.readString(run.resolve("report.html"));
        versions.values().forEach(version -> assertTrue(report.contains(version), version));
    }

    private Path export(String... more) {
        Path target = directory.resolve("exported");
        List<String> arguments =
                new ArrayList<>(List.of(run.toString(), "--to", target.toString()));
        arguments.addAll(List.of(more));
        TinyRun.execute(new ExportCommand(), arguments);
        return target;
    }

    private Tally judged(String... more) {
        Path out = directory.resolve("evaluation");
        List<String> arguments = new ArrayList<>(List.of(run.toString(), "--out", out.toString()));
        arguments.addAll(List.of(more));
        TinyRun.execute(new EvalCommand(), arguments);
        return EvaluationReport.read(out.resolve(EvaluationRun.REPORT)).all();
    }

    private static Tally inRun(String agent) {
        return ResultsFile.read(run.resolve(ResultsFile.NAME)).agents().stream()
                .filter(a -> a.agent().equals(agent) && !a.scaling())
                .findFirst()
                .orElseThrow()
                .all();
    }

    @Test
    void anExportedPolicyActsAsTheRunsOwn() {
        Path exported = export();
        assertTrue(Files.exists(exported.resolve("model.onnx")));
        assertEquals(inRun("pi-1"), judged("--model", exported.toString()));
    }

    @Test
    void theTrainingEngineActsAsTheOneThatRan() {
        assertEquals(inRun("pi-0"), judged("--iteration", "0", "--set", "engine={type: djl}"));
    }

    @Test
    void aRewardModelIsExportedByItsNumber() {
        Path exported = export("--reward-model", "0", "--precision", "INT8");
        Tally tally =
                judged(
                        "--iteration",
                        "0",
                        "--choose",
                        "best-of-n",
                        "--reward-model",
                        exported.toString());
        assertEquals(inRun("pi-0").episodes(), tally.episodes());
        assertFalse(Files.exists(exported.resolve("model.safetensors")));
    }

    @Test
    void aModelOfPartsThatLlamaCppKnowsIsWrittenForIt() throws IOException {
        Path model = directory.resolve("plain");
        ModelInitializer.create(
                model,
                ModelConfig.builder()
                        .vocabSize(300)
                        .hiddenSize(32)
                        .intermediateSize(32)
                        .layers(1)
                        .heads(2)
                        .eosTokenIds(List.of(2))
                        .build(),
                Initialization.FAN_IN,
                1,
                Optional.of(run.resolve("policy-0/model/tokenizer.json")));
        Path target = directory.resolve("exported");
        TinyRun.execute(
                new ExportCommand(),
                List.of(
                        model.toString(),
                        "--to",
                        target.toString(),
                        "--format",
                        "GGUF",
                        "--precision",
                        "q8_0"));
        byte[] file = Files.readAllBytes(target.resolve("model.gguf"));
        assertEquals("GGUF", new String(file, 0, 4, StandardCharsets.US_ASCII));
        assertTrue(Files.exists(target.resolve("tokenizer.json")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GGUF | f32 | llama.cpp knows no previous-token embedding, no second-previous-token",
                "GGUF | int8 | --precision must be one of f32, f16, bf16, q8_0, q4_0 for --format gguf,"
                        + " was int8",
                "SAFETENSORS | int4 | --precision must be one of f32, bf16 for --format"
                        + " safetensors, was int4"
            })
    void whatCannotBeWrittenIsRefusedWithTheReason(String format, String precision, String reason) {
        AssertionError error =
                assertThrows(
                        AssertionError.class,
                        () -> export("--format", format, "--precision", precision));
        assertTrue(error.getMessage().contains(reason), error.getMessage());
    }

    @Test
    void aWholeModelActsAsTheRunsOwn() {
        Path exported = export("--format", "SAFETENSORS");
        assertEquals(inRun("pi-1"), judged("--model", exported.toString()));
    }

    @Test
    void aWholeModelIsHalfAsLargeInHalfOfTheBits() throws IOException {
        Path exported = export("--format", "SAFETENSORS", "--precision", "bf16");
        Path own = run.resolve("iteration-1/policy/model/model.safetensors");
        double share = (double) Files.size(exported.resolve("model.safetensors")) / Files.size(own);
        assertTrue(share < 0.6, "share " + share);
        assertEquals(inRun("pi-1").episodes(), judged("--model", exported.toString()).episodes());
    }

    @Test
    void whatARunLacksIsRefusedWithItsName() {
        AssertionError error = assertThrows(AssertionError.class, () -> export("--iteration", "7"));
        assertTrue(error.getMessage().contains("no policy pi-7"), error.getMessage());
    }

    @Test
    void aModelDirectoryHasNoIterations() {
        Path model = run.resolve("policy-0/model");
        AssertionError error =
                assertThrows(
                        AssertionError.class,
                        () ->
                                TinyRun.execute(
                                        new ExportCommand(),
                                        List.of(
                                                model.toString(),
                                                "--to",
                                                directory.resolve("x").toString(),
                                                "--iteration",
                                                "1")));
        assertTrue(error.getMessage().contains("is a model directory"), error.getMessage());
    }
}
