package io.agentprm.api.policy;

import io.agentprm.api.Stable;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import java.util.Optional;

/** Asks for a number of decisions on one state. Immutable. */
@Stable(since = "1.0")
public final class DecisionRequest {
    private final State state;
    private final EpisodeId episode;
    private final int samples;
    private final RandomSource random;
    private final Optional<Sampling> sampling;

    private DecisionRequest(
            State state,
            EpisodeId episode,
            int samples,
            RandomSource random,
            Optional<Sampling> sampling) {
        if (samples < 1) {
            throw new IllegalArgumentException(
                    "at least 1 sample must be asked for, was " + samples);
        }
        this.state = state;
        this.episode = episode;
        this.samples = samples;
        this.random = random;
        this.sampling = sampling;
    }

    /**
     * Makes a request.
     *
     * @param episode episode that the state belongs to; what a policy caches from turn to turn is
     *     keyed by it
     * @param samples number of decisions wanted
     * @param random stream of this (run, task, episode, turn); sample i draws from {@code
     *     random.derive(i)}
     */
    public static DecisionRequest of(
            State state, EpisodeId episode, int samples, RandomSource random) {
        return new DecisionRequest(state, episode, samples, random, Optional.empty());
    }

    /** The same request with another way of sampling than the policy's own. */
    public DecisionRequest with(Sampling how) {
        return new DecisionRequest(state, episode, samples, random, Optional.of(how));
    }

    /** The same request for another number of samples. */
    public DecisionRequest withSamples(int number) {
        return new DecisionRequest(state, episode, number, random, sampling);
    }

    public State state() {
        return state;
    }

    public EpisodeId episode() {
        return episode;
    }

    public int samples() {
        return samples;
    }

    public RandomSource random() {
        return random;
    }

    /** Overrides the policy's own sampling where present. */
    public Optional<Sampling> sampling() {
        return sampling;
    }
}
