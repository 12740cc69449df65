package io.agentprm.bench.model;

import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.InferenceEngine;
import io.agentprm.api.lm.LanguageModel;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import io.agentprm.bench.measure.CpuClock;
import io.agentprm.lm.checkpoint.ModelConfig;
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
 * Speed of an agent's turns on a small model: many episodes side by side, each with a prompt that
 * grows by an observation and a reply a turn. Three ways to decide: a free reply; a reply out of a
 * list; eight replies out of a list whose distinct ones are scored by a reward model.
 *
 * <p>Figures are per second of processor time; tokens are those that an episode has, whatever is
 * computed for them.
 */
@Command(
        name = "generation",
        description = "Turns of an agent of 0.8M parameters: free, out of a list, best of eight.",
        mixinStandardHelpOptions = true)
public final class GenerationBenchmark implements Runnable {
    private static final int START = 100;
    private static final int OBSERVATION = 10;
    private static final int VOCABULARY = 500;

    private final CpuClock clock = new CpuClock();

    @Spec private CommandSpec spec;

    @Option(
            names = "--episodes",
            defaultValue = "64",
            description = "Side by side (default: ${DEFAULT-VALUE}).")
    private int episodes;

    @Option(
            names = "--turns",
            defaultValue = "12",
            description = "Of an episode (default: ${DEFAULT-VALUE}).")
    private int turns;

    @Option(
            names = "--engine",
            defaultValue = "DJL",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private RunningEngine running;

    @Option(
            names = "--rounds",
            defaultValue = "3",
            description = "The first warms up (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Override
    public void run() {
        ModelConfig config = Models.config(128, 3, 4, 384, VOCABULARY);
        PrintWriter out = spec.commandLine().getOut();
        try (Models models = new Models();
                InferenceEngine engine = running.open(1, episodes)) {
            Path directory = models.create("small", config);
            try (LanguageModel policy = engine.load(directory);
                    LanguageModel reward = engine.load(directory)) {
                out.printf(
                        Locale.ROOT,
                        "%s: %d parameters, %d episodes, %d turns; one thread%n",
                        running,
                        config.parameters(),
                        episodes,
                        turns);
                for (int round = 0; round < rounds; round++) {
                    for (Mode mode : Mode.values()) {
                        run(policy, reward, mode, round);
                    }
                }
            }
        }
    }

    /** How a turn is decided. */
    private enum Mode {
        FREE(1, 0),
        LISTED(1, 20),
        BEST_OF_8(8, 6);

        private final int samples;
        private final int listed;

        Mode(int samples, int listed) {
            this.samples = samples;
            this.listed = listed;
        }
    }

    private void run(LanguageModel policy, LanguageModel reward, Mode mode, int round) {
        RandomSource source = RandomSource.of(round).derive(mode.ordinal());
        RandomGenerator random = source.generator();
        int[][] states = new int[episodes][];
        for (int e = 0; e < episodes; e++) {
            states[e] = tokens(random, START + random.nextInt(40));
        }
        long logical = 0;
        long decoded = 0;
        double sum = 0;
        double start = clock.seconds();
        long computed = policy.tokensComputed() + reward.tokensComputed();
        long wall = System.nanoTime();
        for (int turn = 0; turn < turns; turn++) {
            List<GenerationRequest> requests = new ArrayList<>();
            for (int e = 0; e < episodes; e++) {
                requests.add(request(mode, states[e], e, turn, source, random));
            }
            List<List<Generation>> replies = policy.generate(requests);
            int[][] chosen =
                    mode.samples > 1 ? Choice.best(reward, states, replies) : Choice.first(replies);
            for (int e = 0; e < episodes; e++) {
                for (Generation reply : replies.get(e)) {
                    decoded += reply.tokens().length();
                    sum += Arrays.stream(reply.tokens().logProbs()).sum();
                }
                int[] observation = tokens(random, OBSERVATION - 3 + random.nextInt(7));
                logical += turn == 0 ? states[e].length : OBSERVATION;
                states[e] = Choice.join(states[e], chosen[e], observation);
            }
        }
        for (int e = 0; e < episodes; e++) {
            policy.release(Choice.conversation(e));
            reward.release(Choice.conversation(e));
        }
        double cpu = clock.seconds() - start;
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                Locale.ROOT,
                "%-10s %7.0f tokens/s, %6.2f ms a decision (wall %.2f), %d tokens computed,"
                        + " log-probability %.4f a token, load %.1f%n",
                mode,
                (logical + decoded) / cpu,
                1000 * cpu / (episodes * turns),
                (System.nanoTime() - wall) / 1e6 / (episodes * turns),
                policy.tokensComputed() + reward.tokensComputed() - computed,
                sum / decoded,
                clock.load());
        out.flush();
    }

    private GenerationRequest request(
            Mode mode,
            int[] state,
            int episode,
            int turn,
            RandomSource source,
            RandomGenerator random) {
        Sampling sampling = Sampling.temperature(1, mode.listed > 0 ? 16 : 3 + random.nextInt(7));
        GenerationRequest request =
                GenerationRequest.of(
                                state, mode.samples, sampling, source.derive(turn).derive(episode))
                        .in(Choice.conversation(episode));
        return mode.listed > 0 ? request.within(replies(random, mode.listed)) : request;
    }

    /** Replies that read like commands: a verb, a kind, a number, and sometimes a second noun. */
    private static TokenTrie replies(RandomGenerator random, int count) {
        Map<List<Integer>, int[]> replies = new LinkedHashMap<>();
        while (replies.size() < count) {
            int verb = random.nextInt(4);
            int noun = random.nextInt(12);
            int[] reply =
                    verb % 2 == 0
                            ? new int[] {
                                10 + verb, 20 + verb, 30 + noun, 60, 70 + noun % 3, Models.END
                            }
                            : new int[] {
                                10 + verb,
                                40 + noun,
                                60,
                                70 + noun % 3,
                                80 + verb,
                                50,
                                75,
                                Models.END
                            };
            replies.put(Arrays.stream(reply).boxed().toList(), reply);
        }
        return TokenTrie.of(replies.values());
    }

    private static int[] tokens(RandomGenerator random, int count) {
        return random.ints(count, Models.FIRST_ORDINARY, VOCABULARY).toArray();
    }
}
