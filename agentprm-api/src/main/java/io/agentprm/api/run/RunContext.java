package io.agentprm.api.run;

import io.agentprm.api.Stable;
import java.time.Clock;

/** What the run gives to every component. All parts are thread-safe. */
@Stable(since = "1.0")
public interface RunContext {
    /** The random stream of this component; draw from children of it. */
    RandomSource random();

    Clock clock();

    Metrics metrics();

    /**
     * Opens a progress bar.
     *
     * @param label what is being done, such as {@code "rollouts"}
     * @param total number of units; 0 if unknown
     */
    Progress progress(String label, long total);

    Cancellation cancellation();

    Checkpoints checkpoints();

    /** A context without output or checkpoints, for code and tests that need a seed only. */
    static RunContext ofSeed(long seed) {
        return new QuietRunContext(RandomSource.of(seed));
    }
}
