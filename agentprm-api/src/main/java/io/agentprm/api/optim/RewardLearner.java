package io.agentprm.api.optim;

import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.target.LabelledTrajectory;
import java.util.List;

/** Trains a model with a score head as a process reward model, in place. */
@FunctionalInterface
public interface RewardLearner {
    OptimizationReport learn(
            TrainableModel model,
            StateRenderer renderer,
            List<LabelledTrajectory> labelled,
            RunContext context);
}
