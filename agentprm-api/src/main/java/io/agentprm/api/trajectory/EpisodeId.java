package io.agentprm.api.trajectory;

import io.agentprm.api.Stable;

/**
 * Name of one attempt at one task; random draws and caches are keyed by it.
 *
 * @param task id of the task
 * @param episode number of the attempt, from 0
 */
@Stable(since = "1.0")
public record EpisodeId(String task, int episode) {
    @Override
    public String toString() {
        return task + "#" + episode;
    }
}
