package io.agentprm.api.policy;

import io.agentprm.api.Stable;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import java.util.List;

/** Decides on states, many at a time. Called by one thread at a time. */
@Stable(since = "1.0")
public interface Policy extends AutoCloseable {
    /** Stable identity for reports and labels, such as {@code pi-1}. */
    String id();

    /**
     * Decides.
     *
     * @return for each request, in order, exactly as many decisions as it asked for
     */
    List<List<Decision>> decide(List<DecisionRequest> requests);

    /** The episode is over: whatever is cached for it may go. */
    default void release(EpisodeId episode) {}

    @Override
    default void close() {}
}
