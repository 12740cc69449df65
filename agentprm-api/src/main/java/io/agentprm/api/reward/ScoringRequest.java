package io.agentprm.api.reward;

import io.agentprm.api.Stable;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.EpisodeId;
import io.agentprm.api.trajectory.State;
import java.util.List;

/** Asks for the scores of alternative decisions in one state. Immutable. */
@Stable(since = "1.0")
public final class ScoringRequest {
    private final State state;
    private final EpisodeId episode;
    private final List<Decision> decisions;

    private ScoringRequest(State state, EpisodeId episode, List<Decision> decisions) {
        this.state = state;
        this.episode = episode;
        this.decisions = List.copyOf(decisions);
    }

    public static ScoringRequest of(State state, EpisodeId episode, List<Decision> decisions) {
        return new ScoringRequest(state, episode, decisions);
    }

    public State state() {
        return state;
    }

    public EpisodeId episode() {
        return episode;
    }

    public List<Decision> decisions() {
        return decisions;
    }
}
