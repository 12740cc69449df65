package io.agentprm.api.target;

import io.agentprm.api.Experimental;
import io.agentprm.api.trajectory.Trajectory;

/**
 * A target estimator that needs the values of the model that learns from it. {@link #estimate} says
 * once what can be said without a model: which turns are learned from, and labels to report and to
 * measure against. The learner then asks for {@link #targets} anew in every step.
 */
@Experimental(since = "1.0")
public interface BootstrappedTargets extends TargetEstimator {
    /**
     * Targets of one trajectory under the current model. They are constants: no gradient flows
     * through them.
     *
     * @param trajectory one that {@link #estimate} labelled; never an aborted one
     * @param values estimate of Q(s, a) of each turn's decision by the model as it is now, a
     *     probability in [0, 1]; not to be changed
     * @return one target per turn, in the range of the labels
     */
    double[] targets(Trajectory trajectory, double[] values);
}
