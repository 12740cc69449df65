package io.agentprm.api.run;

import io.agentprm.api.Stable;

/** A request to stop, raised from outside (a signal, a deadline) and looked at between steps. */
@FunctionalInterface
@Stable(since = "1.0")
public interface Cancellation {
    /** True once the run shall stop at the next safe point. */
    boolean requested();

    /** Throws {@link CancelledException} if a stop is requested. */
    default void check() {
        if (requested()) {
            throw new CancelledException(
                    "the run was asked to stop; run the same command again to continue");
        }
    }

    /** Never requested. */
    static Cancellation none() {
        return () -> false;
    }
}
