package io.agentprm.api.env;

import io.agentprm.api.Stable;

/**
 * One seat in an environment. Same task, seed and actions give the same bytes. Used by one thread
 * at a time; closing it twice is harmless.
 *
 * <p>An exception in {@link #reset} or {@link #step}, or no answer in time, aborts that episode
 * only: it counts as a failure and is not learnt from, and the others go on. An episode ends when
 * {@code step} says so; what limits its length is up to the session.
 */
@Stable(since = "1.0")
public interface Session extends AutoCloseable {
    /**
     * Starts an episode of the task; any earlier one is dropped.
     *
     * @throws io.agentprm.api.AgentPrmException if the suite has no such task
     */
    EpisodeStart reset(Task task, long seed);

    /**
     * Acts. Every text is answered: what is not understood is an invalid action, as is the empty
     * text of a reply without an action.
     *
     * @throws io.agentprm.api.AgentPrmException if no episode is running (before a reset, after its
     *     end or after {@link #close})
     */
    StepResult step(Action action);

    /**
     * An independent session in the same state.
     *
     * @throws UnsupportedOperationException unless the environment declares {@link
     *     Capability#FORKABLE}
     */
    default Session fork() {
        throw new UnsupportedOperationException(
                "this environment cannot fork sessions; ask for Capability.FORKABLE before the run");
    }

    @Override
    void close();
}
