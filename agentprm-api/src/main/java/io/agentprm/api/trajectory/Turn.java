package io.agentprm.api.trajectory;

import io.agentprm.api.Stable;
import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.Observation;

/** One turn of a trajectory. Immutable. */
@Stable(since = "1.0")
public final class Turn {
    private final Observation observation;
    private final Decision decision;
    private final ActionFeedback feedback;
    private final double reward;

    private Turn(
            Observation observation, Decision decision, ActionFeedback feedback, double reward) {
        this.observation = observation;
        this.decision = decision;
        this.feedback = feedback;
        this.reward = reward;
    }

    public static Turn of(
            Observation observation, Decision decision, ActionFeedback feedback, double reward) {
        return new Turn(observation, decision, feedback, reward);
    }

    /** What was seen before the decision. */
    public Observation observation() {
        return observation;
    }

    public Decision decision() {
        return decision;
    }

    public ActionFeedback feedback() {
        return feedback;
    }

    /** Reward that followed the decision. */
    public double reward() {
        return reward;
    }
}
