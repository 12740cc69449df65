package io.agentprm.core.pipeline;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.core.config.ComponentConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A process reward model from trajectories that exist already. */
@Description("Training of a process reward model from existing trajectories.")
public record PrmTrainingConfig(
        @Description("Name of the model.") @Default("prm") String name,
        @Description("Seed of every random draw.") @Default("1") long seed,
        @Description(
                        "Files of trajectories (JSON Lines), or directories of such files or of"
                                + " one file per episode as the agent_prm code writes them.")
                List<Path> inputs,
        @Description("Engine that trains the model.") @Default("djl") ComponentConfig engine,
        @Description("How the model is made and rendered.") @Default("transformer")
                ComponentConfig models,
        @Description(
                        "Model directory of a policy to start from; without it tokenizer and"
                                + " weights are made new.")
                Optional<Path> policy,
        @Description("AdamW.") AdamWConfig adamW,
        @Description("Estimator that labels every turn.") @Default("mc") ComponentConfig targets,
        @Description("Learner of the process reward model.") @Default("prm") ComponentConfig prm,
        @Description("Share of the tasks that are kept for the report, in [0, 1).") @Default("0.15")
                double testShare) {
    /** Checks the ranges. */
    public PrmTrainingConfig {
        if (!(testShare >= 0 && testShare < 1)) {
            throw new IllegalArgumentException("test-share must lie in [0, 1), was " + testShare);
        }
        inputs = List.copyOf(inputs);
    }

    /** The same configuration with other inputs and start. */
    public PrmTrainingConfig of(List<Path> trajectories, Optional<Path> start) {
        return new PrmTrainingConfig(
                name, seed, trajectories, engine, models, start, adamW, targets, prm, testShare);
    }
}
