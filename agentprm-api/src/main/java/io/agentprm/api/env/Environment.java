package io.agentprm.api.env;

import io.agentprm.api.Stable;
import java.util.List;
import java.util.Set;

/**
 * A suite of tasks with what they share (games, catalogue, index). Thread-safe. Sessions are cheap;
 * each is used by one thread at a time, and different ones never influence each other.
 */
@Stable(since = "1.0")
public interface Environment extends AutoCloseable {
    EnvironmentInfo info();

    /** Names of the splits, such as {@code train} and {@code valid_unseen}. */
    List<String> splits();

    /**
     * Tasks of a split, always in the same order.
     *
     * @throws io.agentprm.api.AgentPrmException if the split is unknown; the message lists those
     *     that exist
     */
    List<Task> tasks(String split);

    Set<Capability> capabilities();

    /**
     * Opens a seat.
     *
     * @throws io.agentprm.api.AgentPrmException if the environment is closed
     */
    Session open();

    /** Lets go of what the suite holds; closing it twice is harmless. */
    @Override
    void close();
}
