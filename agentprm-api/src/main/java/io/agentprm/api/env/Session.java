package io.agentprm.api.env;

/**
 * One seat in an environment. Same task, seed and actions give the same bytes. Used by one thread
 * at a time; closing it twice is harmless.
 */
public interface Session extends AutoCloseable {
    /** Starts an episode of the task; any earlier one is dropped. */
    EpisodeStart reset(Task task, long seed);

    /**
     * Acts.
     *
     * @throws io.agentprm.api.AgentPrmException if no episode is running (before a reset or after
     *     its end)
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
