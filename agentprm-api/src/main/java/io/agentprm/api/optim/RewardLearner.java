package io.agentprm.api.optim;

import io.agentprm.api.Experimental;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.target.LabelledTrajectory;
import java.util.List;
import java.util.Optional;

/** Trains a model with a score head as a process reward model, in place. */
@FunctionalInterface
@Experimental(since = "1.0")
public interface RewardLearner {
    /** What tells a learner good decisions from bad ones. */
    enum Supervision {
        /** Labels of a target estimator, {@link LearningRequest#labelled}. */
        LABELS,
        /**
         * Demonstrations against rollouts, {@link LearningRequest#imitation}; no outcome at all.
         */
        DEMONSTRATIONS
    }

    /**
     * Trains the request's model. Stops at a safe point with a checkpoint if the context's
     * cancellation is requested.
     *
     * @throws io.agentprm.api.run.CancelledException if stopped before the end
     */
    OptimizationReport learn(LearningRequest request);

    /** Learns from labels that do not change. */
    default OptimizationReport learn(
            TrainableModel model,
            StateRenderer renderer,
            List<LabelledTrajectory> labelled,
            RunContext context) {
        return learn(LearningRequest.of(model, renderer, labelled, context));
    }

    /** What has to be in the request. */
    default Supervision supervision() {
        return Supervision.LABELS;
    }

    /** What the scores of the models mean that it trains. */
    default ScoreScale scale() {
        return ScoreScale.LOGIT;
    }

    /**
     * What {@link #learn} comes to, in words for a plan, such as {@code at most 500 steps of 16
     * trajectories}; empty where that is not known beforehand.
     *
     * @param trajectories most trajectories that it will be given
     */
    default Optional<String> plan(int trajectories) {
        return Optional.empty();
    }
}
