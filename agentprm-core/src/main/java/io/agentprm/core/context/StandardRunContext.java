package io.agentprm.core.context;

import io.agentprm.api.run.Cancellation;
import io.agentprm.api.run.Checkpoints;
import io.agentprm.api.run.Metrics;
import io.agentprm.api.run.Progress;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import java.time.Clock;

/**
 * A context put together from its parts.
 *
 * @param display where progress is shown
 */
public record StandardRunContext(
        RandomSource random,
        Clock clock,
        Metrics metrics,
        ProgressDisplay display,
        Cancellation cancellation,
        Checkpoints checkpoints)
        implements RunContext {
    @Override
    public Progress progress(String label, long total) {
        return display.open(label, total);
    }

    /** The same context with another random stream. */
    public StandardRunContext with(RandomSource other) {
        return new StandardRunContext(other, clock, metrics, display, cancellation, checkpoints);
    }
}
