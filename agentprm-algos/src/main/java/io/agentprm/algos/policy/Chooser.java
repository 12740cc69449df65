package io.agentprm.algos.policy;

import io.agentprm.api.trajectory.EpisodeId;
import java.util.List;

/** Decides ballots, many at a time. */
interface Chooser {
    List<Choice> choose(List<Ballot> ballots);

    default void release(EpisodeId episode) {}
}
