package io.agentprm.api.reward;

import io.agentprm.api.Stable;
import io.agentprm.api.trajectory.EpisodeId;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A process reward model: an estimate of Q(s, a) for decisions in states. Called by one thread at a
 * time.
 */
@Stable(since = "1.0")
public interface RewardModel extends AutoCloseable {
    String id();

    ScoreScale scale();

    /**
     * Scores decisions.
     *
     * @return for each request, in order, one raw score per decision
     */
    List<double[]> score(List<ScoringRequest> requests);

    /** The raw score as a probability of success, where the scale defines one. */
    default OptionalDouble probability(double rawScore) {
        return switch (scale()) {
            case LOGIT -> OptionalDouble.of(1 / (1 + Math.exp(-rawScore)));
            case PROBABILITY -> OptionalDouble.of(rawScore);
            case UNBOUNDED -> OptionalDouble.empty();
        };
    }

    /** The episode is over: whatever is cached for it may go. */
    default void release(EpisodeId episode) {}

    @Override
    default void close() {}
}
