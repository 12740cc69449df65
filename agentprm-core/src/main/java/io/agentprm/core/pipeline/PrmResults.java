package io.agentprm.core.pipeline;

import io.agentprm.api.config.Description;
import java.util.Map;
import java.util.Optional;

/** What training a process reward model from existing trajectories came to. */
public record PrmResults(
        @Description("Schema of the file.") String schema,
        @Description("Name of the model.") String name,
        @Description("Seed.") long seed,
        @Description("Number of trajectories.") int trajectories,
        @Description("Number of labelled turns to learn from.") int turns,
        @Description("Optimiser steps.") long steps,
        @Description("Latest figures of training, by name.") Map<String, Double> figures,
        @Description("On turns of tasks that were kept back; absent if there were none.")
                Optional<HeldOut> heldOut) {
    static final String SCHEMA = "agentprm.prm-results/1";

    /** Figures on turns of unseen tasks. */
    public record HeldOut(
            @Description("Number of labelled turns.") int turns,
            @Description("Mean cross-entropy of scores and labels, in nats.") double loss,
            @Description("Share of turns where score and label are on one side of one half.")
                    double accuracy,
            @Description("Area under the ROC curve, labels above one half against the others.")
                    Optional<Double> auc,
            @Description("Mean squared error of the probability.") double brier,
            @Description("Expected calibration error.") double calibrationError) {}
}
