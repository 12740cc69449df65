package io.agentprm.algos.train;

import io.agentprm.algos.Decay;

/**
 * A learning rate by the number of prompts consumed: linear warm-up from 0, then decay to 0 over
 * the true number of prompts of the whole training.
 *
 * @param peak rate after the warm-up, 0 or more
 * @param warmup share of all prompts spent warming up, in [0, 1)
 * @param decay course after the warm-up
 */
public record LearningRate(double peak, double warmup, Decay decay) {
    /** Checks the ranges. */
    public LearningRate {
        if (!(peak >= 0 && peak < Double.MAX_VALUE)) {
            throw new IllegalArgumentException("learning rate must be 0 or more, was " + peak);
        }
        if (!(warmup >= 0 && warmup < 1)) {
            throw new IllegalArgumentException("warm-up must lie in [0, 1), was " + warmup);
        }
    }

    /**
     * The rate of a step.
     *
     * @param before prompts consumed before the step
     * @param after prompts consumed after it
     * @param total prompts of the whole training
     */
    public double at(double before, double after, double total) {
        double warm = warmup * total;
        if (after < warm) {
            return peak * after / warm;
        }
        double progress = Math.max(0, before - warm) / Math.max(total - warm, 1e-12);
        return peak
                * switch (decay) {
                    case CONSTANT -> 1;
                    case LINEAR -> 1 - progress;
                    case COSINE -> (1 + Math.cos(Math.PI * progress)) / 2;
                };
    }
}
