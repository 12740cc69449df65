package io.agentprm.cli.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.api.lm.Channel;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.cli.export.ExportCommand;
import io.agentprm.core.files.DurableFiles;
import io.agentprm.core.pipeline.ResultsFile;
import io.agentprm.engine.djl.DjlConfig;
import io.agentprm.engine.djl.DjlEngine;
import io.agentprm.engine.onnx.OnnxConfig;
import io.agentprm.engine.onnx.OnnxEngine;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
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
        List<String> arguments = new ArrayList<>(arguments("rank: 4", shared));
        arguments.addAll(List.of("--out", run.toString()));
        TinyRun.execute(new RunCommand(), arguments);
    }

    /** The run without its place, over the checkpoint, with a checkpoint after each update. */
    private static List<String> arguments(String lora, Path folder) throws IOException {
        Path config = folder.resolve("lora-run.yaml");
        try (InputStream in = AdapterRunTest.class.getResourceAsStream("/lora-run.yaml")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            Files.writeString(
                    config,
                    text.replace("CHECKPOINT", checkpoint.toString()).replace("rank: 4", lora));
        }
        return List.of(config.toString(), "--checkpoint-seconds", "0");
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

    /** With dropout, whose masks must go on where they were. */
    @Test
    @Timeout(900)
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has no signals")
    void aRunThatIsKilledWhileItTrainsAdaptersEndsTheSame() throws Exception {
        List<String> arguments = new ArrayList<>(arguments("rank: 4, dropout: 0.2", directory));
        arguments.addAll(List.of("--set", "sft.epochs=8", "--set", "loop.prm.epochs=12"));
        Path whole = directory.resolve("whole");
        finish(whole, arguments);
        boolean killed = false;
        for (int number = 0; !killed; number++) {
            assertTrue(number < 20, "stages end before they are killed");
            Path other = directory.resolve("killed-" + number);
            killed =
                    isKilledIn(other, "policy-0", arguments)
                            && isKilledIn(other, "iteration-1/prm", arguments);
            finish(other, arguments);
            assertEquals(TinyRun.contents(whole), TinyRun.contents(other));
        }
    }

    /** Starts the run and kills it; whether it then had a part of the stage. */
    private static boolean isKilledIn(Path target, String stage, List<String> arguments)
            throws Exception {
        Path done = target.resolve(stage);
        Path checkpoints = done.resolveSibling(".checkpoints-" + done.getFileName());
        Process process = launch(target, arguments);
        while (process.isAlive() && Files.notExists(checkpoints)) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        // SIGKILL.
        process.destroyForcibly().waitFor();
        return Files.exists(checkpoints) && Files.notExists(done);
    }

    private static void finish(Path target, List<String> arguments) throws Exception {
        int code = launch(target, arguments).waitFor();
        assertEquals(0, code, Files.readString(TinyRun.log(target)));
    }

    private static Process launch(Path target, List<String> arguments) throws IOException {
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of("--out", target.toString()));
        return TinyRun.start(target, all);
    }

    @Test
    void aCheckpointThatIsMissingIsFoundBeforeAnythingIsPlayed() {
        Path other = directory.resolve("other");
        AssertionError error =
                assertThrows(
                        AssertionError.class,
                        () ->
                                TinyRun.execute(
                                        new RunCommand(),
                                        List.of(
                                                shared.resolve("lora-run.yaml").toString(),
                                                "--set",
                                                "models.checkpoint=" + directory.resolve("none"),
                                                "--out",
                                                other.toString())));
        assertTrue(error.getMessage().contains("No such model directory"), error.getMessage());
        assertFalse(Files.exists(other.resolve("demonstrations")));
    }

    /** The exported model is the adapted one, not its base. */
    @Test
    void anAdapterIsExportedMerged() {
        Path target = directory.resolve("exported");
        TinyRun.execute(new ExportCommand(), List.of(run.toString(), "--to", target.toString()));
        assertTrue(Files.exists(target.resolve("model.onnx")));
        assertTrue(Files.exists(target.resolve("config.json")));
        assertTrue(Files.exists(target.resolve("tokenizer.json")));
        assertFalse(Files.exists(target.resolve("adapter_config.json")));
        RunModels models = new RunModels(run);
        Path adapter = models.policy(models.lastPolicy());
        double[] adapted = logProbs(DjlEngine.open(DjlConfig.defaults().withThreads(1)), adapter);
        double[] base = logProbs(DjlEngine.open(DjlConfig.defaults().withThreads(1)), checkpoint);
        double[] exported = logProbs(OnnxEngine.open(OnnxConfig.defaults().withThreads(1)), target);
        assertArrayEquals(adapted, exported, 2e-4);
        assertTrue(
                IntStream.range(0, base.length)
                        .anyMatch(i -> Math.abs(base[i] - exported[i]) > 2e-3),
                "the adapter changes next to nothing: " + Arrays.toString(base));
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

    /** Of each token of some text after those before it. */
    private static double[] logProbs(InferenceEngine opened, Path directory) {
        int[] ids = IntStream.range(0, 24).map(i -> i == 0 ? 1 : 40 + 7 * i).toArray();
        boolean[] supervised = new boolean[ids.length];
        Arrays.fill(supervised, 1, ids.length, true);
        TokenTree text = TokenTree.trunk(TokenSegment.of(ids, supervised, new int[0]));
        Channel channel = Channel.logProb(1);
        try (InferenceEngine engine = opened;
                LanguageModel model = engine.load(directory)) {
            return model.evaluate(List.of(text), Set.of(channel)).at(channel, 0, 0);
        }
    }
}
