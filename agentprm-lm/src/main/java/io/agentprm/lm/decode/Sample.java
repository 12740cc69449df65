package io.agentprm.lm.decode;

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
public final class Sample {
    private final Sampling sampling;
    private final RandomGenerator random;
    private final Set<Integer> stops;
    private final int limit;
    private final int[] prompt;
    private final int[] tokens;
    private final double[] logProbs;
    private Optional<TokenConstraint.State> constraint;
    private int length;
    private boolean stopped;

    /**
     * @param limit most new tokens that fit
     */
    public Sample(
            GenerationRequest request, int[] prompt, int number, Set<Integer> stops, int limit) {
        this.sampling = request.sampling();
        this.random = request.random().derive(number).generator();
        this.stops = stops;
        this.limit = limit;
        this.prompt = prompt;
        this.tokens = new int[limit];
        this.logProbs = new double[limit];
        this.constraint = request.constraint().map(TokenConstraint::start);
    }

    public boolean done() {
        return stopped || length == limit;
    }

    /** Draws the next token from a row of the sampler, and takes those that have to follow it. */
    public void draw(TokenSampler sampler, int row) {
        Optional<int[]> allowed = constraint.map(TokenConstraint.State::allowed);
        if (allowed.isPresent() && allowed.get().length == 0) {
            stopped = true;
            return;
        }
        int token = sampler.draw(row, sampling, allowed, random);
        logProbs[length] = sampler.logProb(row, token);
        accept(token);
        while (!done() && constraint.isPresent()) {
            int[] forced = constraint.get().allowed();
            if (forced.length > 1) {
                return;
            }
            if (forced.length == 0) {
                stopped = true;
            } else {
                skipDraw();
                accept(forced[0]);
            }
        }
    }

    private void accept(int token) {
        tokens[length++] = token;
        stopped = stops.contains(token);
        if (!stopped) {
            constraint = constraint.map(state -> state.next(token));
        }
    }

    /** One number for each token, drawn or not: replies don't depend on what is computed how. */
    private void skipDraw() {
        if (sampling.temperature() != 0) {
            random.nextDouble();
        }
    }

    /**
     * Reads the log-probabilities of tokens that had to follow.
     *
     * @param place row of the sampler after the first of the tokens computed
     * @param from number of that token
     * @param count tokens computed
     */
    public void read(TokenSampler sampler, int place, int from, int count) {
        for (int t = from; t < from + count && t + 1 < length; t++) {
            logProbs[t + 1] = sampler.logProb(place + t - from, tokens[t + 1]);
        }
    }

    /** Puts a token into a column. */
    public void feed(int number, Tokens into, int row, int column) {
        into.put(row, column, prompt, tokens, number);
    }

    public int token(int number) {
        return tokens[number];
    }

    /** Whether any token may come next. */
    public boolean free() {
        return constraint.isEmpty();
    }

    /** Divisor of the logits. */
    public double temperature() {
        return sampling.temperature() == 0 ? 1 : sampling.temperature();
    }

    public int limit() {
        return limit;
    }

    /** The first tokens; a copy. */
    public int[] tokens(int count) {
        return Arrays.copyOf(tokens, count);
    }

    public int length() {
        return length;
    }

    public Generation generation() {
        return new Generation(
                SampledTokens.of(tokens(length), Arrays.copyOf(logProbs, length), temperature()),
                stopped);
    }
}
