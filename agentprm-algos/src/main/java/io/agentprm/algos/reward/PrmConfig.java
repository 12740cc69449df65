package io.agentprm.algos.reward;

import io.agentprm.algos.Decay;
import io.agentprm.algos.train.Checks;
import io.agentprm.algos.train.EpochLoop;
import io.agentprm.algos.train.LearningRate;
import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;

/** Configuration of the process reward model's training. */
@Description("A process reward model from labelled turns, all turns of a trajectory in one pass.")
public record PrmConfig(
        @Description(
                        "Loss of a score, read as log-odds, against its label: cross-entropy"
                                + " (soft-bce), the squared difference of probabilities (brier), or"
                                + " that and the squared difference of what they change by from"
                                + " turn to turn (promise-progress). auto is promise-progress for"
                                + " targets that depend on the model, as those of td-gae, else"
                                + " soft-bce.")
                @Default("auto")
                Loss loss,
        @Description("Weight of the changes from turn to turn in promise-progress, 0 or more.")
                @Default("1.0")
                double progressWeight,
        @Description("Passes over the trajectories, at least 1.") @Default("1") int epochs,
        @Description("Trajectories of a batch, at least 1.") @Default("16") int batchTrajectories,
        @Description("Learning rate after the warm-up.") @Default("5e-5") double learningRate,
        @Description("Share of all trajectories spent warming up, in [0, 1).") @Default("0")
                double warmup,
        @Description("Course of the learning rate after the warm-up.") @Default("linear")
                Decay decay,
        @Description(
                        "per-visit counts every visit to a turn; per-group counts every group of"
                                + " equal turns once, whatever its number of visits.")
                @Default("per-visit")
                Weighting weighting,
        @Description("Gradients are clipped to this global norm.") @Default("1.0")
                double maxGradientNorm,
        @Description("Largest number of padded tokens of a micro-batch.") @Default("8192")
                int microBatchTokens,
        @Description("Share of the tasks held out to measure the model on, in [0, 1).")
                @Default("0.15")
                double holdOut) {
    /** Loss of a score against its label. */
    public enum Loss {
        AUTO,
        SOFT_BCE,
        BRIER,
        PROMISE_PROGRESS
    }

    /** What counts equally. */
    public enum Weighting {
        PER_VISIT,
        PER_GROUP
    }

    /** Checks the ranges. */
    public PrmConfig {
        if (!(progressWeight >= 0 && progressWeight < Double.MAX_VALUE)) {
            throw new IllegalArgumentException(
                    "progress-weight must be 0 or more, was " + progressWeight);
        }
        Checks.atLeast("epochs", epochs, 1);
        Checks.atLeast("batch-trajectories", batchTrajectories, 1);
        Checks.share("hold-out", holdOut);
        Checks.updates(learningRate, warmup, maxGradientNorm, microBatchTokens);
    }

    EpochLoop.Options options() {
        return new EpochLoop.Options(
                "prm",
                epochs,
                batchTrajectories,
                0,
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
        private Loss loss = Loss.AUTO;
        private double progressWeight = 1.0;
        private int epochs = 1;
        private int batchTrajectories = 16;
        private double learningRate = 5e-5;
        private double warmup = 0;
        private Decay decay = Decay.LINEAR;
        private Weighting weighting = Weighting.PER_VISIT;
        private double maxGradientNorm = 1.0;
        private int microBatchTokens = 8192;
        private double holdOut = 0.15;

        private Builder() {}

        public Builder loss(Loss value) {
            loss = value;
            return this;
        }

        public Builder progressWeight(double value) {
            progressWeight = value;
            return this;
        }

        public Builder epochs(int value) {
            epochs = value;
            return this;
        }

        public Builder batchTrajectories(int value) {
            batchTrajectories = value;
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

        public Builder weighting(Weighting value) {
            weighting = value;
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

        public Builder holdOut(double value) {
            holdOut = value;
            return this;
        }

        /**
         * Makes the configuration.
         *
         * @throws IllegalArgumentException if a value is out of its range
         */
        public PrmConfig build() {
            return new PrmConfig(
                    loss,
                    progressWeight,
                    epochs,
                    batchTrajectories,
                    learningRate,
                    warmup,
                    decay,
                    weighting,
                    maxGradientNorm,
                    microBatchTokens,
                    holdOut);
        }
    }
}
