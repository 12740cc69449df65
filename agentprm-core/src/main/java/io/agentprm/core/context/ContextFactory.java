package io.agentprm.core.context;

import io.agentprm.api.run.Cancellation;
import io.agentprm.api.run.Checkpoints;
import io.agentprm.api.run.Metrics;
import io.agentprm.api.run.RandomSource;
import io.agentprm.core.files.DurableFiles;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;

/**
 * Makes the contexts of a run's components and stages.
 *
 * @param checkpointInterval time between two checkpoints of a stage
 */
public record ContextFactory(
        Clock clock,
        ProgressDisplay display,
        Cancellation cancellation,
        Duration checkpointInterval,
        DurableFiles files) {
    /** A context that keeps no metrics and no checkpoints. */
    public StandardRunContext plain(RandomSource random) {
        return new StandardRunContext(
                random, clock, Metrics.none(), display, cancellation, Checkpoints.none());
    }

    /**
     * The context of a stage. Close it before the stage is completed.
     *
     * @param directory where the stage writes; its metrics go into a file there
     * @param checkpoints where its checkpoints are kept over a kill
     */
    public StageContext stage(RandomSource random, Path directory, Path checkpoints) {
        JsonLinesMetrics metrics = new JsonLinesMetrics(directory.resolve(JsonLinesMetrics.FILE));
        return new StageContext(
                new StandardRunContext(
                        random,
                        clock,
                        metrics,
                        display,
                        cancellation,
                        new DirectoryCheckpoints(
                                checkpoints,
                                checkpointInterval,
                                clock,
                                cancellation,
                                metrics,
                                files)),
                metrics);
    }

    /**
     * A context whose metrics file is open.
     *
     * @param context what components get
     */
    public record StageContext(StandardRunContext context, JsonLinesMetrics metrics)
            implements AutoCloseable {
        @Override
        public void close() {
            metrics.close();
        }
    }
}
