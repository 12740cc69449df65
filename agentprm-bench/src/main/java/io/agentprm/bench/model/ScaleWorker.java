package io.agentprm.bench.model;

import io.agentprm.algos.loss.SftLoss;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.lm.OptimizerOptions;
import io.agentprm.api.lm.TokenSegment;
import io.agentprm.api.lm.TokenTree;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.lm.TrainingRow;
import io.agentprm.api.lm.UpdateOptions;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import io.agentprm.bench.measure.CpuClock;
import io.agentprm.bench.measure.ProcessMemory;
import io.agentprm.bench.measure.Timing;
import io.agentprm.engine.djl.DjlConfig;
import io.agentprm.engine.djl.DjlEngine;
import io.agentprm.engine.djl.Precision;
import io.agentprm.engine.onnx.OnnxConfig;
import io.agentprm.engine.onnx.OnnxEngine;
import io.agentprm.lm.checkpoint.AdapterInitializer;
import io.agentprm.lm.checkpoint.LoraConfig;
import io.agentprm.lm.checkpoint.ModelDirectory;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Loads one checkpoint in a process of its own, so that the process's memory is the model's, and
 * uses it: generates, or trains one step. Prints one line of figures.
 */
final class ScaleWorker {
    private static final int PROMPT = 32;
    private static final UpdateOptions UPDATE = new UpdateOptions(1e-5, 1, Integer.MAX_VALUE);

    private final CpuClock clock = new CpuClock();
    private final Path directory;
    private final int vocabulary;
    private final int tokens;

    private ScaleWorker(Path directory, int vocabulary, int tokens) {
        this.directory = directory;
        this.vocabulary = vocabulary;
        this.tokens = tokens;
    }

    /**
     * Arguments: {@code djl} or {@code onnx} to generate on, or {@code train}, directory, name of
     * the {@link PublishedShape}, of the {@link Precision} of products and of the one of weights,
     * number of threads, tokens to generate or to train on, rank of the adapter that is trained or
     * 0 for the whole model, whether layers are recomputed, MiB of logits.
     */
    public static void main(String[] arguments) {
        PrintStream out = System.out;
        DjlConfig settings =
                DjlConfig.defaults()
                        .withPrecision(Precision.valueOf(arguments[3]))
                        .withWeights(Precision.valueOf(arguments[4]))
                        .withThreads(Integer.parseInt(arguments[5]))
                        .withRecomputeLayers(Boolean.parseBoolean(arguments[8]))
                        .withLogitMegabytes(Long.parseLong(arguments[9]));
        ScaleWorker worker =
                new ScaleWorker(
                        Path.of(arguments[1]),
                        PublishedShape.valueOf(arguments[2]).config().vocabSize(),
                        Integer.parseInt(arguments[6]));
        int rank = Integer.parseInt(arguments[7]);
        switch (arguments[0]) {
            case "train" -> out.println(worker.train(DjlEngine.open(settings), rank));
            case "djl" -> out.println(worker.generate(DjlEngine.open(settings)));
            default -> {
                OnnxConfig onnx = OnnxConfig.defaults().withThreads(settings.threads());
                out.println(worker.generate(OnnxEngine.open(onnx)));
            }
        }
    }

    private String generate(InferenceEngine engine) {
        long before = ProcessMemory.resident();
        ProcessMemory.resetPeak();
        long start = System.nanoTime();
        try (LanguageModel model = engine.load(directory)) {
            double loading = (System.nanoTime() - start) / 1e9;
            long peak = ProcessMemory.peak() - before;
            long held = ProcessMemory.resident() - before;
            GenerationRequest request =
                    GenerationRequest.of(
                            prompt(PROMPT), 1, Sampling.temperature(1, tokens), RandomSource.of(1));
            model.generate(List.of(request));
            int[] drawn = new int[1];
            Timing timing =
                    Timing.of(
                            clock,
                            () ->
                                    drawn[0] =
                                            model.generate(List.of(request))
                                                    .get(0)
                                                    .get(0)
                                                    .tokens()
                                                    .ids()
                                                    .length);
            return String.format(
                    Locale.ROOT,
                    "%.2f %d %d %d %.3f %.3f",
                    loading,
                    held,
                    peak,
                    ProcessMemory.resident() - before,
                    drawn[0] / timing.wall(),
                    drawn[0] / timing.cpu());
        }
    }

    private String train(DjlEngine engine, int rank) {
        Path trained = rank == 0 ? directory : adapter(rank);
        long before = ProcessMemory.resident();
        ProcessMemory.resetPeak();
        try (TrainableModel model = engine.loadTrainable(trained, OptimizerOptions.adamW(0.01))) {
            boolean[] targets = new boolean[tokens];
            Arrays.fill(targets, 1, tokens, true);
            TokenSegment row = TokenSegment.of(prompt(tokens), targets, new int[0]);
            List<TrainingRow> batch = List.of(TrainingRow.of(TokenTree.trunk(row)));
            model.step(batch, new SftLoss(), UPDATE);
            Timing timing = Timing.of(clock, () -> model.step(batch, new SftLoss(), UPDATE));
            return String.format(
                    Locale.ROOT,
                    "%.3f %.3f %d",
                    timing.wall(),
                    timing.cpu(),
                    ProcessMemory.peak() - before);
        }
    }

    /** A new adapter of all linear maps. */
    private Path adapter(int rank) {
        List<String> all =
                List.of(
                        "q_proj",
                        "k_proj",
                        "v_proj",
                        "o_proj",
                        "gate_proj",
                        "up_proj",
                        "down_proj");
        ModelDirectory base = ModelDirectory.open(directory);
        Path target = directory.resolveSibling(directory.getFileName() + "-adapter-" + rank);
        if (!Files.exists(target)) {
            AdapterInitializer.create(
                    base,
                    target,
                    new LoraConfig(rank, 2 * rank, all, 0, false),
                    false,
                    1,
                    base.stopTokenIds());
        }
        return target;
    }

    private int[] prompt(int length) {
        return new SplittableRandom(1).ints(length, Models.FIRST_ORDINARY, vocabulary).toArray();
    }
}
