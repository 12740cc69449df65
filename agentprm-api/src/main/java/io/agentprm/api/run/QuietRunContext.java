package io.agentprm.api.run;

import java.time.Clock;

record QuietRunContext(RandomSource random) implements RunContext {
    @Override
    public Clock clock() {
        return Clock.systemUTC();
    }

    @Override
    public Metrics metrics() {
        return Metrics.none();
    }

    @Override
    public Progress progress(String label, long total) {
        return Progress.none();
    }

    @Override
    public Cancellation cancellation() {
        return Cancellation.none();
    }

    @Override
    public Checkpoints checkpoints() {
        return Checkpoints.none();
    }
}
