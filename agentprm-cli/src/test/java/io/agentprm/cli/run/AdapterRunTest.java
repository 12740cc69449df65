package io.agentprm.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.cli.export.ExportCommand;
import io.agentprm.core.files.DurableFiles;
import io.agentprm.core.pipeline.ResultsFile;
import io.agentprm.lm.checkpoint.Initialization;
import io.agentprm.lm.checkpoint.ModelConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import io.agentprm.lm.checkpoint.ModelFamily;
import io.agentprm.lm.checkpoint.ModelInitializer;
import io.agentprm.lm.tokenizer.WordTrainer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run whose policies and reward models are adapters over one Hugging Face checkpoint. */
class AdapterRunTest {
    @TempDir private static Path shared;
    private static Path checkpoint;
    private static String hash;
    private static Path run;
    private static Map<String, Integer> undisturbed;

    @TempDir private Path directory;

    @BeforeAll
    static void trainSomething() throws IOException {
        checkpoint = shared.resolve("checkpoint");
        Path tokenizer = shared.resolve("tokenizer.json");
        WordTrainer.standard().train(List.of()).write(tokenizer);
        ModelConfig config =
                ModelConfig.builder()
                        .family(ModelFamily.LLAMA)
                        .vocabSize(259)
                        .hiddenSize(16)
                        .intermediateSize(24)
                        .layers(1)
                        .heads(2)
                        .contextLength(1024)
                        .bosTokenId(1)
                        .padTokenId(0)
                        .eosTokenIds(List.of(2))
                        .build();
        ModelInitializer.create(
                checkpoint, config, Initialization.FAN_IN, 7, Optional.of(tokenizer));
        hash = ModelDirectory.open(checkpoint).contentHash();
        run = shared.resolve("run");
        start();
        undisturbed = TinyRun.contents(run);
    }

    private static void start() throws IOException {
        Path config = shared.resolve("lora-run.yaml");
        try (InputStream in = AdapterRunTest.class.getResourceAsStream("/lora-run.yaml")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            Files.writeString(config, text.replace("CHECKPOINT", checkpoint.toString()));
        }
        TinyRun.execute(
                new RunCommand(),
                List.of(config.toString(), "--out", run.toString(), "--checkpoint-seconds", "0"));
    }

    @Test
    void everyModelOfTheRunIsAnAdapterAndTheCheckpointStays() {
        for (String stage : List.of("initial-model", "policy-0", "iteration-1/policy")) {
            ModelDirectory model = ModelDirectory.open(run.resolve(stage).resolve("model"));
            assertEquals(4, model.adapter().orElseThrow().config().lora().rank(), stage);
            assertFalse(model.config().scoreHead(), stage);
            assertEquals(checkpoint, model.base().path(), stage);
        }
        ModelDirectory judge = ModelDirectory.open(run.resolve("iteration-1/prm/model"));
        assertTrue(judge.adapter().orElseThrow().config().scoreHead());
        assertEquals(
                List.of(),
                undisturbed.keySet().stream()
                        .filter(name -> name.endsWith("/model.safetensors"))
                        .toList());
        assertEquals(hash, ModelDirectory.open(checkpoint).contentHash());
    }

    @Test
    void theReferenceOfTheFirstStepIsThePolicyBeforeIt() {
        Map<String, Double> figures =
                ResultsFile.read(run.resolve(ResultsFile.NAME)).training().get("pi-1").figures();
        assertEquals(Math.log(2), figures.get("dpo.loss"), 1e-5, figures::toString);
    }

    @Test
    void aRunThatIsContinuedEndsTheSame() throws IOException {
        DurableFiles.delete(run.resolve("iteration-1/prm"));
        DurableFiles.delete(run.resolve("iteration-1/policy"));
        Files.delete(run.resolve(ResultsFile.NAME));
        start();
        assertEquals(undisturbed, TinyRun.contents(run));
    }

    @Test
    void anAdapterIsExportedMerged() {
        Path target = directory.resolve("exported");
        TinyRun.execute(new ExportCommand(), List.of(run.toString(), "--to", target.toString()));
        assertTrue(Files.exists(target.resolve("model.onnx")));
        assertTrue(Files.exists(target.resolve("config.json")));
        assertTrue(Files.exists(target.resolve("tokenizer.json")));
        assertFalse(Files.exists(target.resolve("adapter_config.json")));
        AssertionError error =
                assertThrows(
                        AssertionError.class,
                        () ->
                                TinyRun.execute(
                                        new ExportCommand(),
                                        List.of(
                                                run.resolve("policy-0/model").toString(),
                                                "--iteration",
                                                "0",
                                                "--to",
                                                directory.resolve("other").toString())));
        assertTrue(error.getMessage().contains("is a model directory"), error.getMessage());
    }
}
