package io.agentprm.api.env;

import io.agentprm.api.Stable;

/**
 * What an environment can do beyond reset and step. Nothing checks this on a component's behalf:
 * one that needs a capability asks {@link Environment#capabilities()} when it is made, and throws
 * an {@link io.agentprm.api.AgentPrmException} if the environment lacks it.
 */
@Stable(since = "1.0")
public enum Capability {
    /** {@link Session#fork()} gives an independent copy of a running session. */
    FORKABLE,
    /**
     * Same task, seed and actions lead to the same state, so a state can be rebuilt by replaying
     * its actions.
     */
    REPLAYABLE
}
