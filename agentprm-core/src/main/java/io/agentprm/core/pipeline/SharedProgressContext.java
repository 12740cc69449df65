package io.agentprm.core.pipeline;

import io.agentprm.api.run.Cancellation;
import io.agentprm.api.run.Checkpoints;
import io.agentprm.api.run.Metrics;
import io.agentprm.api.run.Progress;
import io.agentprm.api.run.RandomSource;
import io.agentprm.api.run.RunContext;
import java.time.Clock;

/** A context whose progress bars all advance one common bar. */
record SharedProgressContext(RunContext context, Progress bar) implements RunContext {
    @Override
    public RandomSource random() {
        return context.random();
    }

    @Override
    public Clock clock() {
        return context.clock();
    }

    @Override
    public Metrics metrics() {
        return context.metrics();
    }

    @Override
    public Progress progress(String label, long total) {
        return new Progress() {
            @Override
            public void advance(long units) {
                bar.advance(units);
            }

            @Override
            public void note(String remark) {}

            @Override
            public void close() {}
        };
    }

    @Override
    public Cancellation cancellation() {
        return context.cancellation();
    }

    @Override
    public Checkpoints checkpoints() {
        return Checkpoints.none();
    }
}
