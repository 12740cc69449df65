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
import io.agentprm.lm.text.TokenTrie;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What choosing among N replies costs: a turn of an agent with one reply beside a turn with N, of
 * which a reward model of the same size scores the distinct ones. Policy and reward model keep the
 * episode in their caches; a turn gives each of them an observation. The weights are random, so
 * that free replies hardly ever begin alike: of a model that has learned, N replies cost less.
 */
@Command(
        name = "best-of-n",
        description = "A turn with one reply beside one with the best of N, engines in turns.",
        mixinStandardHelpOptions = true)
public final class BestOfNBenchmark implements Runnable {
    private static final int CONTEXT = 1024;
    private static final int SHORTEST_REPLY = 8;
    private static final int LONGEST_REPLY = 12;
    private static final int LISTED = 20;

    private final CpuClock clock = new CpuClock();

    @Spec private CommandSpec spec;

    @Option(
            names = "--engines",
            split = ",",
            defaultValue = "DJL,ONNX",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private List<RunningEngine> engines;

    @Option(
            names = "--shapes",
            split = ",",
            defaultValue = "SMALL,LARGE",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private List<ModelShape> shapes;

    @Option(
            names = "--n",
            defaultValue = "16",
            description = "Replies (default: ${DEFAULT-VALUE}).")
    private int n;

    @Option(
            names = "--episodes",
            defaultValue = "1",
            description = "Side by side (default: ${DEFAULT-VALUE}).")
    private int episodes;

    @Option(
            names = "--prompt",
            defaultValue = "300",
            description = "Tokens before the first turn (default: ${DEFAULT-VALUE}).")
    private int prompt;

    @Option(
            names = "--observation",
            defaultValue = "40",
            description = "Tokens of a turn's observation (default: ${DEFAULT-VALUE}).")
    private int observation;

    @Option(
            names = "--turns",
            defaultValue = "5",
            description = "Of an episode; the first is not measured (default: ${DEFAULT-VALUE}).")
    private int turns;

    @Option(
            names = "--rounds",
            defaultValue = "3",
            description = "Measured, after one that warms up (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--threads",
            defaultValue = "1",
            description = "Of a matrix product (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                "shape engine replies | ms a turn and episode with 1 and with "
                        + n
                        + ": processor time, wall clock (medians) | quotients | tokens computed"
                        + " by policy and reward model | load");
        try (Models models = new Models()) {
            for (ModelShape shape : shapes) {
                Path directory =
                        models.create(
                                shape.label(),
                                shape.config().toBuilder()
                                        .contextLength(CONTEXT)
                                        .scoreHead(true)
                                        .build());
                measure(shape, directory, out);
            }
        }
    }

    /** An engine with its models and what was measured. */
    private static final class Runner implements AutoCloseable {
        private final RunningEngine name;
        private final InferenceEngine engine;
        private final LanguageModel policy;
        private final LanguageModel reward;
        private final Map<Case, Samples> samples = new LinkedHashMap<>();
        private final Map<Case, Long> computed = new LinkedHashMap<>();

        Runner(RunningEngine name, int threads, int batch, Path directory) {
            this.name = name;
            engine = name.open(threads, batch);
            policy = engine.load(directory);
            reward = engine.load(directory);
        }

        long tokensComputed() {
            return policy.tokensComputed() + reward.tokensComputed();
        }

        @Override
        public void close() {
            policy.close();
            reward.close();
            engine.close();
        }
    }

    /** A way to decide. */
    private record Case(boolean listed, int samples) {}

    private void measure(ModelShape shape, Path directory, PrintWriter out) {
        List<Case> cases =
                List.of(
                        new Case(false, 1),
                        new Case(false, n),
                        new Case(true, 1),
                        new Case(true, n));
        List<Runner> runners = new ArrayList<>();
        try {
            for (RunningEngine name : engines) {
                runners.add(new Runner(name, threads, n * episodes, directory));
            }
            for (int round = -1; round < rounds; round++) {
                for (Case turn : cases) {
                    for (Runner runner : runners) {
                        play(shape, runner, turn, round);
                    }
                }
            }
            for (Runner runner : runners) {
                out.println(line(shape, runner, false));
                out.println(line(shape, runner, true));
                out.flush();
            }
        } finally {
            runners.forEach(Runner::close);
        }
    }

    private void play(ModelShape shape, Runner runner, Case turn, int round) {
        RandomSource source = RandomSource.of(round);
        RandomGenerator random = source.generator();
        int[][] states = new int[episodes][];
        for (int e = 0; e < episodes; e++) {
            states[e] = tokens(shape, random, prompt);
        }
        double cpu = 0;
        double wall = 0;
        for (int t = 0; t < turns; t++) {
            List<GenerationRequest> requests = new ArrayList<>();
            for (int e = 0; e < episodes; e++) {
                requests.add(request(turn, states[e], e, source.derive(t).derive(e)));
            }
            long before = runner.tokensComputed();
            int[][] chosen = new int[episodes][];
            Timing timing = Timing.of(clock, () -> decide(runner, turn, states, requests, chosen));
            if (t > 0) {
                cpu += timing.cpu();
                wall += timing.wall();
                runner.computed.put(turn, runner.tokensComputed() - before);
            }
            for (int e = 0; e < episodes; e++) {
                int[] seen = tokens(shape, random, observation);
                states[e] = Choice.join(states[e], chosen[e], seen);
            }
        }
        if (round >= 0) {
            runner.samples.computeIfAbsent(turn, k -> new Samples()).add(new Timing(wall, cpu));
        }
        for (int e = 0; e < episodes; e++) {
            runner.policy.release(Choice.conversation(e));
            runner.reward.release(Choice.conversation(e));
        }
    }

    private static void decide(
            Runner runner,
            Case turn,
            int[][] states,
            List<GenerationRequest> requests,
            int[][] chosen) {
        List<List<Generation>> replies = runner.policy.generate(requests);
        int[][] best =
                turn.samples() > 1
                        ? Choice.best(runner.reward, states, replies)
                        : Choice.first(replies);
        System.arraycopy(best, 0, chosen, 0, best.length);
    }

    private static GenerationRequest request(
            Case turn, int[] state, int episode, RandomSource source) {
        RandomGenerator random = source.derive("length").generator();
        int length = SHORTEST_REPLY + random.nextInt(LONGEST_REPLY - SHORTEST_REPLY + 1);
        Sampling sampling = Sampling.temperature(1, turn.listed() ? LONGEST_REPLY : length);
        GenerationRequest request =
                GenerationRequest.of(state, turn.samples(), sampling, source)
                        .in(Choice.conversation(episode));
        return turn.listed() ? request.within(replies(random)) : request;
    }

    /** Replies of one of two verbs, that share their beginnings as commands do. */
    private static TokenTrie replies(RandomGenerator random) {
        Map<List<Integer>, int[]> replies = new LinkedHashMap<>();
        while (replies.size() < LISTED) {
            int length = SHORTEST_REPLY + random.nextInt(LONGEST_REPLY - SHORTEST_REPLY + 1);
            int[] reply = new int[length];
            reply[0] = 10 + random.nextInt(2);
            reply[1] = 20;
            for (int i = 2; i < length - 1; i++) {
                reply[i] = 30 + 10 * i + random.nextInt(2);
            }
            reply[length - 1] = Models.END;
            replies.put(Arrays.stream(reply).boxed().toList(), reply);
        }
        return TokenTrie.of(replies.values());
    }

    private static int[] tokens(ModelShape shape, RandomGenerator random, int count) {
        return random.ints(count, Models.FIRST_ORDINARY, shape.vocabulary()).toArray();
    }

    private String line(ModelShape shape, Runner runner, boolean listed) {
        Case one = new Case(listed, 1);
        Case many = new Case(listed, n);
        Samples single = runner.samples.get(one);
        Samples several = runner.samples.get(many);
        double unit = 1000.0 / episodes / (turns - 1);
        return String.format(
                Locale.ROOT,
                "%-6s %-9s %-6s | %7.1f, %7.1f | %7.1f, %7.1f | %.2f, %.2f | %d, %d | load %.1f",
                shape.label(),
                runner.name,
                listed ? "listed" : "free",
                unit * single.cpu(),
                unit * single.wall(),
                unit * several.cpu(),
                unit * several.wall(),
                several.cpu() / single.cpu(),
                several.wall() / single.wall(),
                runner.computed.get(one) / episodes,
                runner.computed.get(many) / episodes,
                clock.load());
    }
}
