package io.agentprm.algos.optim;

import io.agentprm.algos.Decay;
import io.agentprm.algos.train.Checks;
import io.agentprm.algos.train.EpochLoop;
import io.agentprm.algos.train.LearningRate;
import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;

/** Configuration of supervised fine-tuning. */
@Description("Supervised fine-tuning on the agent's own replies of trajectories.")
public record SftConfig(
        @Description("Passes over the trajectories, at least 1.") @Default("1") int epochs,
        @Description("Trajectories of a batch, where batch-tokens is 0.") @Default("64")
                int batchTrajectories,
        @Description("Largest number of tokens of a batch; 0 counts trajectories instead.")
                @Default("0")
                int batchTokens,
        @Description("Learning rate after the warm-up.") @Default("3e-5") double learningRate,
        @Description("Share of all trajectories spent warming up, in [0, 1).") @Default("0.05")
                double warmup,
        @Description("Course of the learning rate after the warm-up.") @Default("cosine")
                Decay decay,
        @Description("Gradients are clipped to this global norm.") @Default("1.0")
                double maxGradientNorm,
        @Description("Largest number of padded tokens of a micro-batch.") @Default("8192")
                int microBatchTokens,
        @Description("Whether to learn from successful trajectories only.") @Default("false")
                boolean successfulOnly,
        @Description("Share of the tasks held out to measure the loss on, in [0, 1).") @Default("0")
                double holdOut) {
    /** Checks the ranges. */
    public SftConfig {
        Checks.atLeast("epochs", epochs, 1);
        Checks.atLeast("batch-trajectories", batchTrajectories, 1);
        Checks.atLeast("batch-tokens", batchTokens, 0);
        Checks.share("hold-out", holdOut);
        Checks.updates(learningRate, warmup, maxGradientNorm, microBatchTokens);
    }

    EpochLoop.Options options() {
        return new EpochLoop.Options(
                "sft",
                epochs,
                batchTrajectories,
                batchTokens,
                new LearningRate(learningRate, warmup, decay),
                maxGradientNorm,
                microBatchTokens);
    }

    /** Starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Sets components by their names. */
    public static final class Builder {
        private int epochs = 1;
        private int batchTrajectories = 64;
        private int batchTokens = 0;
        private double learningRate = 3e-5;
        private double warmup = 0.05;
        private Decay decay = Decay.COSINE;
        private double maxGradientNorm = 1.0;
        private int microBatchTokens = 8192;
        private boolean successfulOnly = false;
        private double holdOut = 0;

        private Builder() {}

        public Builder epochs(int value) {
            epochs = value;
            return this;
        }

        public Builder batchTrajectories(int value) {
            batchTrajectories = value;
            return this;
        }

        public Builder batchTokens(int value) {
            batchTokens = value;
            return this;
        }

        public Builder learningRate(double value) {
            learningRate = value;
            return this;
        }

        public Builder warmup(double value) {
            warmup = value;
            return this;
        }

        public Builder decay(Decay value) {
            decay = value;
            return this;
        }

        public Builder maxGradientNorm(double value) {
            maxGradientNorm = value;
            return this;
        }

        public Builder microBatchTokens(int value) {
            microBatchTokens = value;
            return this;
        }

        public Builder successfulOnly(boolean value) {
            successfulOnly = value;
            return this;
        }

        public Builder holdOut(double value) {
            holdOut = value;
            return this;
        }

        /**
         * Makes the configuration.
         *
         * @throws IllegalArgumentException if a value is out of its range
         */
        public SftConfig build() {
            return new SftConfig(
                    epochs,
                    batchTrajectories,
                    batchTokens,
                    learningRate,
                    warmup,
                    decay,
                    maxGradientNorm,
                    microBatchTokens,
                    successfulOnly,
                    holdOut);
        }
    }
}
