package io.agentprm.api.optim;

import io.agentprm.api.Experimental;
import io.agentprm.api.lm.LanguagePolicy;
import io.agentprm.api.trajectory.Trajectory;
import java.util.List;

/**
 * What a reward model is learned from where there are no labels: what an expert did, and what the
 * learner did instead.
 *
 * @param demonstrations episodes of the expert
 * @param rollouts episodes of the current policy and of all policies before it; their policy ids
 *     tell them apart
 * @param policy the current policy
 */
@Experimental(since = "1.0")
public record Imitation(
        List<Trajectory> demonstrations, List<Trajectory> rollouts, LanguagePolicy policy) {
    public Imitation {
        demonstrations = List.copyOf(demonstrations);
        rollouts = List.copyOf(rollouts);
    }
}
