package io.agentprm.engine.djl;

import io.agentprm.api.lm.Generation;
import io.agentprm.api.lm.GenerationRequest;
import io.agentprm.api.lm.TokenConstraint;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.trajectory.SampledTokens;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/** One continuation while it grows. */
final class Sample {
    private final Sampling sampling;
    private final RandomGenerator random;
    private final Set<Integer> stops;
    private final int limit;
    private final int promptLength;
    private final int lastOfPrompt;
    private final int[] tokens;
    private final double[] logProbs;
    private Optional<TokenConstraint.State> constraint;
    private int length;
    private boolean stopped;

    /**
     * @param limit most new tokens that fit
     */
    Sample(GenerationRequest request, int[] prompt, int number, Set<Integer> stops, int limit) {
        this.sampling = request.sampling();
        this.random = request.random().derive(number).generator();
        this.stops = stops;
        this.limit = limit;
        this.promptLength = prompt.length;
        this.lastOfPrompt = prompt[prompt.length - 1];
        this.tokens = new int[limit];
        this.logProbs = new double[limit];
        this.constraint = request.constraint().map(TokenConstraint::start);
    }

    boolean done() {
        return stopped || length == limit;
    }

    /** Draws the next token from a row of the sampler. */
    void draw(TokenSampler sampler, int row) {
        Optional<int[]> allowed = constraint.map(TokenConstraint.State::allowed);
        if (allowed.isPresent() && allowed.get().length == 0) {
            stopped = true;
            return;
        }
        int token = sampler.draw(row, sampling, allowed, random);
        logProbs[length] = sampler.logProb(row, token);
        tokens[length++] = token;
        stopped = stops.contains(token);
        if (!stopped) {
            constraint = constraint.map(state -> state.next(token));
        }
    }

    /** Puts the newest token into a column of one. */
    void feed(Tokens into, int row) {
        int before = length > 1 ? tokens[length - 2] : lastOfPrompt;
        into.put(row, 0, tokens[length - 1], before, promptLength + length - 1);
    }

    /** Divisor of the logits. */
    double temperature() {
        return sampling.temperature() == 0 ? 1 : sampling.temperature();
    }

    int limit() {
        return limit;
    }

    /** The first tokens; a copy. */
    int[] tokens(int count) {
        return Arrays.copyOf(tokens, count);
    }

    int length() {
        return length;
    }

    Generation generation() {
        return new Generation(
                SampledTokens.of(tokens(length), Arrays.copyOf(logProbs, length), temperature()),
                stopped);
    }
}
