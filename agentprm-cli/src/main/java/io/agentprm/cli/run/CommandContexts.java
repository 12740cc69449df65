package io.agentprm.cli.run;

import io.agentprm.api.run.Cancellation;
import io.agentprm.core.context.ContextFactory;
import io.agentprm.core.context.ProgressDisplay;
import io.agentprm.core.files.DurableFiles;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;

/** Contexts of commands that work in a directory: progress goes to the terminal. */
public final class CommandContexts {
    /** A signal is answered by a checkpoint; a step of a large model may take a while. */
    public static final Duration LONGEST_STOP = Duration.ofMinutes(5);

    /** Time to say that the run was stopped. */
    public static final Duration LAST_WORDS = Duration.ofSeconds(20);

    private CommandContexts() {}

    /**
     * Contexts.
     *
     * @param checkpointInterval time between two checkpoints of a stage
     */
    public static ContextFactory of(
            PrintWriter err, Cancellation stop, Duration checkpointInterval) {
        return new ContextFactory(
                Clock.systemUTC(),
                new ProgressDisplay(
                        new FlushingText(err),
                        Boolean.getBoolean("agentprm.terminal"),
                        Clock.systemUTC()),
                stop,
                checkpointInterval,
                DurableFiles.standard());
    }
}
