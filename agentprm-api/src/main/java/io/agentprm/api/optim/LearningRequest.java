package io.agentprm.api.optim;

import io.agentprm.api.Experimental;
import io.agentprm.api.lm.StateRenderer;
import io.agentprm.api.lm.TrainableModel;
import io.agentprm.api.run.RunContext;
import io.agentprm.api.target.BootstrappedTargets;
import io.agentprm.api.target.LabelledTrajectory;
import io.agentprm.api.target.TargetEstimator;
import java.util.List;
import java.util.Optional;

/** What a {@link RewardLearner} works on. Immutable holder; the model is changed in place. */
@Experimental(since = "1.0")
public final class LearningRequest {
    private final TrainableModel model;
    private final StateRenderer renderer;
    private final List<LabelledTrajectory> labelled;
    private final RunContext context;
    private final Optional<BootstrappedTargets> targets;
    private final Optional<Imitation> imitation;

    private LearningRequest(
            TrainableModel model,
            StateRenderer renderer,
            List<LabelledTrajectory> labelled,
            RunContext context,
            Optional<BootstrappedTargets> targets,
            Optional<Imitation> imitation) {
        this.model = model;
        this.renderer = renderer;
        this.labelled = List.copyOf(labelled);
        this.context = context;
        this.targets = targets;
        this.imitation = imitation;
    }

    /**
     * Makes a request.
     *
     * @param model model with a score head
     * @param labelled turns to learn from
     */
    public static LearningRequest of(
            TrainableModel model,
            StateRenderer renderer,
            List<LabelledTrajectory> labelled,
            RunContext context) {
        return new LearningRequest(
                model, renderer, labelled, context, Optional.empty(), Optional.empty());
    }

    /** Makes a request without labels. */
    public static LearningRequest of(
            TrainableModel model, StateRenderer renderer, Imitation imitation, RunContext context) {
        return new LearningRequest(
                model, renderer, List.of(), context, Optional.empty(), Optional.of(imitation));
    }

    /**
     * The same request with the estimator of its labels. If that is one of {@link
     * BootstrappedTargets}, its targets are computed anew in every step; any other has said all.
     */
    public LearningRequest with(TargetEstimator estimator) {
        return new LearningRequest(
                model,
                renderer,
                labelled,
                context,
                estimator instanceof BootstrappedTargets bootstrapped
                        ? Optional.of(bootstrapped)
                        : Optional.empty(),
                imitation);
    }

    public TrainableModel model() {
        return model;
    }

    public StateRenderer renderer() {
        return renderer;
    }

    public List<LabelledTrajectory> labelled() {
        return labelled;
    }

    public RunContext context() {
        return context;
    }

    /** The estimator of the labels, if its targets depend on the current values of the model. */
    public Optional<BootstrappedTargets> targets() {
        return targets;
    }

    /** Present for learners whose {@link RewardLearner#supervision} is by demonstrations. */
    public Optional<Imitation> imitation() {
        return imitation;
    }
}
