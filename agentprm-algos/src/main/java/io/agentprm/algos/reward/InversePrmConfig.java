package io.agentprm.algos.reward;

import io.agentprm.algos.Decay;
import io.agentprm.algos.train.Checks;
import io.agentprm.algos.train.EpochLoop;
import io.agentprm.algos.train.LearningRate;
import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;

/** Configuration of the training of a process reward model from demonstrations. */
@Description(
        "A process reward model from demonstrations and the policy's own rollouts, without"
                + " outcomes.")
public record InversePrmConfig(
        @Description("Discount per turn, in [0, 1].") @Default("0.95") double gamma,
        @Description(
                        "Temperature at which next actions are drawn from the current policy; that"
                                + " of the rollouts.")
                @Default("1.0")
                double temperature,
        @Description(
                        "Whose next actions are drawn from the current policy: those of"
                                + " demonstrations, the rollouts keeping the logged ones (expert),"
                                + " or those of both (all).")
                @Default("expert")
                NextActions nextActions,
        @Description(
                        "Half of this times the squared score is added to the loss, against scores"
                                + " that drift.")
                @Default("0")
                double scorePenalty,
        @Description("Passes over the trajectories, at least 1.") @Default("1") int epochs,
        @Description("Trajectories of a batch, at least 1.") @Default("16") int batchTrajectories,
        @Description("Learning rate after the warm-up.") @Default("4.9e-5") double learningRate,
        @Description("Share of all trajectories spent warming up, in [0, 1).") @Default("0")
                double warmup,
        @Description("Course of the learning rate after the warm-up.") @Default("linear")
                Decay decay,
        @Description("Gradients are clipped to this global norm.") @Default("1.0")
                double maxGradientNorm,
        @Description("Largest number of padded tokens of a micro-batch.") @Default("8192")
                int microBatchTokens,
        @Description("Share of the tasks held out to measure the model on, in [0, 1).")
                @Default("0.15")
                double holdOut) {
    /** Whose next actions are drawn from the current policy. */
    public enum NextActions {
        EXPERT,
        ALL
    }

    /** Checks the ranges. */
    public InversePrmConfig {
        if (!(gamma >= 0 && gamma <= 1)) {
            throw new IllegalArgumentException("gamma must lie in [0, 1], was " + gamma);
        }
        if (!(temperature >= 0 && temperature < Double.MAX_VALUE)) {
            throw new IllegalArgumentException("temperature must be 0 or more, was " + temperature);
        }
        if (!(scorePenalty >= 0 && scorePenalty < Double.MAX_VALUE)) {
            throw new IllegalArgumentException(
                    "score-penalty must be 0 or more, was " + scorePenalty);
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
        private double gamma = 0.95;
        private double temperature = 1.0;
        private NextActions nextActions = NextActions.EXPERT;
        private double scorePenalty = 0;
        private int epochs = 1;
        private int batchTrajectories = 16;
        private double learningRate = 4.9e-5;
        private double warmup = 0;
        private Decay decay = Decay.LINEAR;
        private double maxGradientNorm = 1.0;
        private int microBatchTokens = 8192;
        private double holdOut = 0.15;

        private Builder() {}

        public Builder gamma(double value) {
            gamma = value;
            return this;
        }

        public Builder temperature(double value) {
            temperature = value;
            return this;
        }

        public Builder nextActions(NextActions value) {
            nextActions = value;
            return this;
        }

        public Builder scorePenalty(double value) {
            scorePenalty = value;
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
        public InversePrmConfig build() {
            return new InversePrmConfig(
                    gamma,
                    temperature,
                    nextActions,
                    scorePenalty,
                    epochs,
                    batchTrajectories,
                    learningRate,
                    warmup,
                    decay,
                    maxGradientNorm,
                    microBatchTokens,
                    holdOut);
        }
    }
}
