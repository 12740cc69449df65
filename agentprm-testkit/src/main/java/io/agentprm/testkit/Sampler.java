package io.agentprm.testkit;

import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.TokenConstraint;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.trajectory.SampledTokens;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Draws one continuation from a table. */
final class Sampler {
    private final PrefixTable table;
    private final int stop;

    Sampler(PrefixTable table, int stop) {
        this.table = table;
        this.stop = stop;
    }

    Generation sample(GenerationRequest request, RandomGenerator random) {
        Sampling sampling = request.sampling();
        double temperature = sampling.temperature() == 0 ? 1 : sampling.temperature();
        int[] path = request.prompt();
        int start = path.length;
        double[] logProbs = new double[sampling.maxNewTokens()];
        int count = 0;
        boolean stopped = false;
        Optional<TokenConstraint.State> state = request.constraint().map(TokenConstraint::start);
        while (count < sampling.maxNewTokens() && !stopped) {
            double[] all =
                    Softmax.logProbs(
                            table.weights(path, path.length), table.vocabularySize(), temperature);
            int[] allowed =
                    state.map(TokenConstraint.State::allowed)
                            .orElseGet(() -> IntStream.range(0, all.length).toArray());
            int token = draw(all, allowed, sampling, random);
            logProbs[count++] = all[token];
            path = Arrays.copyOf(path, path.length + 1);
            path[path.length - 1] = token;
            stopped = token == stop;
            if (!stopped) {
                state = state.map(s -> s.next(token));
            }
        }
        return new Generation(
                SampledTokens.of(
                        Arrays.copyOfRange(path, start, path.length),
                        Arrays.copyOf(logProbs, count),
                        temperature),
                stopped);
    }

    private static int draw(
            double[] logProbs, int[] allowed, Sampling sampling, RandomGenerator random) {
        int[] order =
                Arrays.stream(allowed)
                        .boxed()
                        .sorted(
                                Comparator.comparingDouble((Integer id) -> -logProbs[id])
                                        .thenComparing(Comparator.naturalOrder()))
                        .mapToInt(Integer::intValue)
                        .toArray();
        if (sampling.temperature() == 0) {
            return order[0];
        }
        double mass = Arrays.stream(order).mapToDouble(id -> Math.exp(logProbs[id])).sum();
        double kept = 0;
        int size = 0;
        while (size < order.length && (size == 0 || kept < sampling.topP() * mass)) {
            kept += Math.exp(logProbs[order[size++]]);
        }
        double point = random.nextDouble() * kept;
        for (int i = 0; i < size; i++) {
            point -= Math.exp(logProbs[order[i]]);
            if (point < 0) {
                return order[i];
            }
        }
        return order[size - 1];
    }
}
