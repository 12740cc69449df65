package io.agentprm.api.env;

/**
 * What an environment can do beyond reset and step; a method that needs one is refused before the
 * run starts.
 */
public enum Capability {
    /** {@link Session#fork()} gives an independent copy of a running session. */
    FORKABLE,
    /**
     * Same task, seed and actions lead to the same state, so a state can be rebuilt by replaying
     * its actions.
     */
    REPLAYABLE
}
