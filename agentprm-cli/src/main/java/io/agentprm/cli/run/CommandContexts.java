package io.agentprm.cli.run;

import io.agentprm.core.context.ContextFactory;
import io.agentprm.core.context.ProgressDisplay;
import io.agentprm.core.context.StopSignal;
import io.agentprm.core.files.DurableFiles;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Function;

/** Contexts of commands that work in a directory: progress goes to the terminal. */
public final class CommandContexts {
    /** Time between two checkpoints where the command does not say. */
    public static final Duration CHECKPOINTS = Duration.ofMinutes(1);

    /** A signal is answered by a checkpoint; a step of a large model may take a while. */
    private static final Duration LONGEST_STOP = Duration.ofMinutes(5);

    /** Time to say that the run was stopped. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(20);

    private CommandContexts() {}

    /**
     * Does work that a signal (Ctrl-C, SIGTERM) ends at the next safe point.
     *
     * @param err where progress goes
     * @param checkpointInterval time between two checkpoints of a stage
     */
    public static <T> T stoppable(
            PrintWriter err, Duration checkpointInterval, Function<ContextFactory, T> work) {
        StopSignal stop = new StopSignal();
        ContextFactory contexts =
                new ContextFactory(
                        Clock.systemUTC(),
                        new ProgressDisplay(
                                new FlushingText(err),
                                Boolean.getBoolean("agentprm.terminal"),
                                Clock.systemUTC()),
                        stop,
                        checkpointInterval,
                        DurableFiles.standard());
        try (StopSignal.Watch watch = stop.watch(LONGEST_STOP, LAST_WORDS)) {
            return work.apply(contexts);
        }
    }
}
