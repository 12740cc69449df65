package io.agentprm.api.env;

import io.agentprm.api.Stable;
import java.util.Objects;
import java.util.Optional;

/** Result of one action. Immutable. */
@Stable(since = "1.0")
public final class StepResult {
    private final Observation observation;
    private final double reward;
    private final ActionFeedback feedback;
    private final Optional<EpisodeEnd.Terminated> end;

    private StepResult(
            Observation observation,
            double reward,
            ActionFeedback feedback,
            Optional<EpisodeEnd.Terminated> end) {
        if (!Double.isFinite(reward)) {
            throw new IllegalArgumentException("reward must be finite, was " + reward);
        }
        this.observation = Objects.requireNonNull(observation, "observation");
        this.reward = reward;
        this.feedback = Objects.requireNonNull(feedback, "feedback");
        this.end = end;
    }

    /** The episode goes on. */
    public static StepResult running(
            Observation observation, double reward, ActionFeedback feedback) {
        return new StepResult(observation, reward, feedback, Optional.empty());
    }

    /** The task ended with this action. */
    public static StepResult terminated(
            Observation observation,
            double reward,
            ActionFeedback feedback,
            EpisodeEnd.Terminated end) {
        return new StepResult(observation, reward, feedback, Optional.of(end));
    }

    /** The observation after the action, kept also when the episode is over. */
    public Observation observation() {
        return observation;
    }

    /**
     * Reward of this turn; must be finite. Learning takes the outcome at the episode's end instead,
     * unless its targets ask for dense rewards; their sum over an episode must then lie in [0, 1].
     */
    public double reward() {
        return reward;
    }

    public ActionFeedback feedback() {
        return feedback;
    }

    /** Present if the task ended. */
    public Optional<EpisodeEnd.Terminated> end() {
        return end;
    }
}
