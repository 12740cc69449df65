package io.agentprm.bench.model;

import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import io.agentprm.bench.measure.CpuClock;
import io.agentprm.bench.measure.Samples;
import io.agentprm.bench.measure.Timing;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Free continuation of short prompts, on several engines in turns: tokens a second by batch. A
 * round generates one token for each prompt, then many: the first is the time of the prompts, the
 * difference that of the new tokens. The seeds are the same, so engines of equal number format draw
 * the same tokens.
 */
@Command(
        name = "decoding",
        description = "Tokens a second of free continuations, engine beside engine.",
        mixinStandardHelpOptions = true)
public final class DecodingBenchmark implements Runnable {
    private static final int WARM_UP = 2;

    private final CpuClock clock = new CpuClock();

    @Spec private CommandSpec spec;

    @Option(
            names = "--engines",
            split = ",",
            description = {
                "${COMPLETION-CANDIDATES} (default: all).",
                "Those of llama.cpp need its llama-server, named in " + LlamaServer.VARIABLE + "."
            })
    private List<RunningEngine> engines = RunningEngine.available();

    @Option(
            names = "--shapes",
            split = ",",
            defaultValue = "SMALL,MEDIUM,LARGE",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private List<ModelShape> shapes;

    @Option(
            names = "--batches",
            split = ",",
            defaultValue = "1,8,32",
            description = "Prompts side by side (default: ${DEFAULT-VALUE}).")
    private List<Integer> batches;

    @Option(
            names = "--prompt",
            defaultValue = "32",
            description = "Tokens of a prompt (default: ${DEFAULT-VALUE}).")
    private int prompt;

    @Option(
            names = "--tokens",
            defaultValue = "64",
            description = "Most new tokens (default: ${DEFAULT-VALUE}).")
    private int tokens;

    @Option(
            names = "--threads",
            defaultValue = "1",
            description = "Of a matrix product (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(
            names = "--rounds",
            defaultValue = "7",
            description = "Measured, after two that warm up (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                "shape batch engine | prompt tokens/s of wall clock | new tokens/s of processor time,"
                        + " of wall clock (median, best) | wall clock of new tokens, the first"
                        + " engine's over this one's | load");
        try (Models models = new Models()) {
            for (ModelShape shape : shapes) {
                Path directory = models.create(shape.label(), shape.config());
                for (int batch : batches) {
                    measure(shape, directory, batch, out);
                }
            }
        }
    }

    /** An engine with its model and what was measured. */
    private static final class Runner implements AutoCloseable {
        private final RunningEngine name;
        private final InferenceEngine engine;
        private final LanguageModel model;
        private final CpuClock clock;
        private final Samples prompts = new Samples();
        private final Samples replies = new Samples();
        private long generated;

        Runner(RunningEngine name, int threads, int batch, Path directory) {
            this.name = name;
            engine = name.open(threads, batch);
            model = engine.load(directory);
            clock = engine instanceof LlamaCppEngine served ? served.clock() : new CpuClock();
        }

        @Override
        public void close() {
            model.close();
            engine.close();
        }
    }

    private void measure(ModelShape shape, Path directory, int batch, PrintWriter out) {
        List<GenerationRequest> first = requests(shape, batch, 1);
        List<GenerationRequest> all = requests(shape, batch, tokens + 1);
        List<Runner> runners = new ArrayList<>();
        try {
            for (RunningEngine name : engines) {
                runners.add(new Runner(name, threads, batch, directory));
            }
            for (int round = -WARM_UP; round < rounds; round++) {
                for (int i = 0; i < runners.size(); i++) {
                    int turn = round % 2 == 0 ? i : runners.size() - 1 - i;
                    run(runners.get(turn), first, all, round >= 0);
                }
            }
            for (Runner runner : runners) {
                out.println(line(shape, batch, runner, runners.get(0)));
                out.flush();
            }
        } finally {
            runners.forEach(Runner::close);
        }
    }

    private void run(
            Runner runner,
            List<GenerationRequest> first,
            List<GenerationRequest> all,
            boolean measured) {
        List<List<Generation>> replies = new ArrayList<>();
        Timing one = Timing.of(runner.clock, () -> runner.model.generate(first));
        Timing many = Timing.of(runner.clock, () -> replies.addAll(runner.model.generate(all)));
        runner.generated =
                replies.stream()
                        .flatMap(List::stream)
                        .mapToLong(reply -> reply.tokens().length() - 1)
                        .sum();
        if (measured) {
            runner.prompts.add(one);
            runner.replies.add(many.less(one));
        }
    }

    private List<GenerationRequest> requests(ModelShape shape, int batch, int most) {
        List<GenerationRequest> requests = new ArrayList<>();
        for (int i = 0; i < batch; i++) {
            RandomSource random = RandomSource.of(i);
            RandomGenerator generator = random.derive("prompt").generator();
            int[] ids = generator.ints(prompt, Models.FIRST_ORDINARY, shape.vocabulary()).toArray();
            requests.add(GenerationRequest.of(ids, 1, Sampling.temperature(1, most), random));
        }
        return requests;
    }

    private String line(ModelShape shape, int batch, Runner runner, Runner first) {
        String prompts =
                String.format(
                        Locale.ROOT,
                        "%-6s %3d %-12s | %7.0f | ",
                        shape.label(),
                        batch,
                        runner.name,
                        batch * prompt / runner.prompts.wall());
        if (2 * runner.generated < (long) batch * tokens) {
            return prompts + "replies ended after " + runner.generated + " tokens";
        }
        Samples samples = runner.replies;
        double rate = runner.generated / samples.wall();
        return prompts
                + String.format(
                        Locale.ROOT,
                        "%7.0f, %7.0f (best %.0f) | %.2f | load %.1f",
                        runner.generated / samples.cpu(),
                        rate,
                        runner.generated / samples.shortest(),
                        rate / (first.generated / first.replies.wall()),
                        clock.load());
    }
}
