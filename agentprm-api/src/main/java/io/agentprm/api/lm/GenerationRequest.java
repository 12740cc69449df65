package io.agentprm.api.lm;

import io.agentprm.api.Experimental;
import io.agentprm.api.policy.Sampling;
import io.agentprm.api.run.RandomSource;
import java.util.Optional;

/** Asks for continuations of one prompt. Immutable. */
@Experimental(since = "1.0")
public final class GenerationRequest {
    private final int[] prompt;
    private final int samples;
    private final Sampling sampling;
    private final RandomSource random;
    private final Optional<TokenConstraint> constraint;
    private final Optional<String> conversation;

    private GenerationRequest(
            int[] prompt,
            int samples,
            Sampling sampling,
            RandomSource random,
            Optional<TokenConstraint> constraint,
            Optional<String> conversation) {
        this.prompt = prompt;
        this.samples = samples;
        this.sampling = sampling;
        this.random = random;
        this.constraint = constraint;
        this.conversation = conversation;
    }

    /**
     * Makes a request.
     *
     * @param prompt token ids, at least one
     * @param samples number of continuations; they share the prompt's cost
     * @param random sample i draws from {@code random.derive(i)}, so what else is in the batch
     *     changes nothing
     */
    public static GenerationRequest of(
            int[] prompt, int samples, Sampling sampling, RandomSource random) {
        return new GenerationRequest(
                prompt.clone(), samples, sampling, random, Optional.empty(), Optional.empty());
    }

    /**
     * The same request restricted to what the constraint allows; log-probabilities stay those of
     * the unconstrained model.
     */
    public GenerationRequest within(TokenConstraint allowed) {
        return new GenerationRequest(
                prompt, samples, sampling, random, Optional.of(allowed), conversation);
    }

    /**
     * The same request as part of a conversation: the engine keeps its key-value cache under this
     * name until released.
     */
    public GenerationRequest in(String name) {
        return new GenerationRequest(
                prompt, samples, sampling, random, constraint, Optional.of(name));
    }

    public int[] prompt() {
        return prompt.clone();
    }

    public int samples() {
        return samples;
    }

    public Sampling sampling() {
        return sampling;
    }

    public RandomSource random() {
        return random;
    }

    public Optional<TokenConstraint> constraint() {
        return constraint;
    }

    public Optional<String> conversation() {
        return conversation;
    }
}
