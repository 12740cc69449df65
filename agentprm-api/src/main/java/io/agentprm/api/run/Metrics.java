package io.agentprm.api.run;

import io.agentprm.api.Stable;

/**
 * Sink of named series, written to the run directory. Names are dotted lower case: {@code dpo.kl},
 * {@code prm.loss}. Thread-safe.
 */
@FunctionalInterface
@Stable(since = "1.0")
public interface Metrics {
    /**
     * Records one point.
     *
     * @param name series
     * @param step position on the series' own axis, usually optimiser steps
     * @param value finite value; others are recorded as missing
     */
    void record(String name, long step, double value);

    /** Keeps nothing. */
    static Metrics none() {
        return (name, step, value) -> {};
    }
}
