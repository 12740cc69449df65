package io.agentprm.algos.optim;

import io.agentprm.algos.Decay;
import io.agentprm.algos.loss.DpoLoss;
import io.agentprm.algos.train.Checks;
import io.agentprm.algos.train.LearningRate;
import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import java.util.Optional;

/** Configuration of online direct preference optimisation. */
@Description(
        "Online DPO against a reward model: fresh replies to the states of the rollouts, the best"
                + " against the worst.")
public record OnlineDpoConfig(
        @Description("Number of batches of prompts, at least 1.") @Default("400") int steps,
        @Description("Most prompts (states) of a batch, at least 1; few trajectories give fewer.")
                @Default("32")
                int promptsPerStep,
        @Description(
                        "Most prompts taken from one trajectory at a time; they share one pass over"
                                + " it. 0 takes all.")
                @Default("8")
                int promptsPerTrajectory,
        @Description("Whether to skip states with only one admissible action.") @Default("false")
                boolean choicesOnly,
        @Description("Replies sampled per prompt, at least 2; the best and the worst are a pair.")
                @Default("2")
                int replies,
        @Description(
                        "Sampling temperature of the replies, above 0; log-probabilities are taken"
                                + " at it too.")
                @Default("0.7")
                double temperature,
        @Description("Form of the loss; length-normalised needs its own beta.") @Default("sigmoid")
                Loss loss,
        @Description("Strength of the tie to the reference policy, above 0 (sigmoid and ipo).")
                @Default("0.03")
                double beta,
        @Description("The beta of the length-normalised loss, which must be given for it.")
                Optional<Double> lengthNormalisedBeta,
        @Description(
                        "Weight, 0 or more, of the preferred reply's negative log-probability per token beside"
                                + " the preference loss; keeps it likely.")
                @Default("0")
                double chosenNll,
        @Description(
                        "Weight, 0 or more, of the divergence from the reference policy at prompts without a"
                                + " pair beside the preference loss: holds fast where nothing is to be"
                                + " preferred.")
                @Default("0")
                double unpairedKl,
        @Description("Optimiser steps on each batch, at least 1.") @Default("4") int innerPasses,
        @Description("Pairs whose scores differ by less are dropped as ties.") @Default("1e-6")
                double minMargin,
        @Description(
                        "Scale of the margins: raw scores of the reward model, or probabilities,"
                                + " which it must define.")
                @Default("raw")
                MarginScale marginScale,
        @Description(
                        "A reply that does not stop is not scored; it counts as this much below the"
                                + " lowest score of its batch, on the margin scale. Above 0.")
                @Default("1.0")
                double nonStopPenalty,
        @Description("Learning rate after the warm-up.") @Default("8e-7") double learningRate,
        @Description("Share of all prompts spent warming up, in [0, 1).") @Default("0")
                double warmup,
        @Description("Course of the learning rate after the warm-up.") @Default("linear")
                Decay decay,
        @Description("Gradients are clipped to this global norm.") @Default("1.0")
                double maxGradientNorm,
        @Description("Largest number of padded tokens of a micro-batch.") @Default("8192")
                int microBatchTokens) {
    /** Form of the loss. */
    public enum Loss {
        SIGMOID,
        IPO,
        LENGTH_NORMALISED
    }

    /** What margins are measured in. */
    public enum MarginScale {
        RAW,
        PROBABILITY
    }

    /** Checks the ranges. */
    public OnlineDpoConfig {
        Checks.atLeast("steps", steps, 1);
        Checks.atLeast("prompts-per-step", promptsPerStep, 1);
        Checks.atLeast("prompts-per-trajectory", promptsPerTrajectory, 0);
        Checks.atLeast("replies", replies, 2);
        Checks.atLeast("inner-passes", innerPasses, 1);
        Checks.above0("temperature", temperature);
        Checks.above0("beta", beta);
        Checks.above0("non-stop-penalty", nonStopPenalty);
        if (!(chosenNll >= 0 && chosenNll < Double.MAX_VALUE)) {
            throw new IllegalArgumentException("chosen-nll must be 0 or more, was " + chosenNll);
        }
        if (!(unpairedKl >= 0 && unpairedKl < Double.MAX_VALUE)) {
            throw new IllegalArgumentException("unpaired-kl must be 0 or more, was " + unpairedKl);
        }
        if (!(minMargin >= 0)) {
            throw new IllegalArgumentException("min-margin must be 0 or more, was " + minMargin);
        }
        if (loss == Loss.LENGTH_NORMALISED && lengthNormalisedBeta.isEmpty()) {
            throw new IllegalArgumentException(
                    "loss length-normalised needs length-normalised-beta: the beta of the other"
                            + " losses does not carry over to log-probabilities per token");
        }
        Checks.updates(learningRate, warmup, maxGradientNorm, microBatchTokens);
    }

    LearningRate rate() {
        return new LearningRate(learningRate, warmup, decay);
    }

    DpoLoss lossFunction() {
        DpoLoss preference = preference();
        return chosenNll > 0 ? preference.withChosenNll(chosenNll) : preference;
    }

    private DpoLoss preference() {
        return switch (loss) {
            case SIGMOID -> DpoLoss.sigmoid(beta, temperature);
            case IPO -> DpoLoss.ipo(beta, temperature);
            case LENGTH_NORMALISED ->
                    DpoLoss.lengthNormalised(lengthNormalisedBeta.orElseThrow(), temperature);
        };
    }

    /** Starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Sets components by their names. */
    public static final class Builder {
        private int steps = 400;
        private int promptsPerStep = 32;
        private int promptsPerTrajectory = 8;
        private boolean choicesOnly = false;
        private int replies = 2;
        private double temperature = 0.7;
        private Loss loss = Loss.SIGMOID;
        private double beta = 0.03;
        private Optional<Double> lengthNormalisedBeta = Optional.empty();
        private double chosenNll = 0;
        private double unpairedKl = 0;
        private int innerPasses = 4;
        private double minMargin = 1e-6;
        private MarginScale marginScale = MarginScale.RAW;
        private double nonStopPenalty = 1.0;
        private double learningRate = 8e-7;
        private double warmup = 0;
        private Decay decay = Decay.LINEAR;
        private double maxGradientNorm = 1.0;
        private int microBatchTokens = 8192;

        private Builder() {}

        public Builder steps(int value) {
            steps = value;
            return this;
        }

        public Builder promptsPerStep(int value) {
            promptsPerStep = value;
            return this;
        }

        public Builder promptsPerTrajectory(int value) {
            promptsPerTrajectory = value;
            return this;
        }

        public Builder choicesOnly(boolean value) {
            choicesOnly = value;
            return this;
        }

        public Builder replies(int value) {
            replies = value;
            return this;
        }

        public Builder temperature(double value) {
            temperature = value;
            return this;
        }

        public Builder loss(Loss value) {
            loss = value;
            return this;
        }

        public Builder beta(double value) {
            beta = value;
            return this;
        }

        public Builder lengthNormalisedBeta(double value) {
            lengthNormalisedBeta = Optional.of(value);
            return this;
        }

        public Builder chosenNll(double value) {
            chosenNll = value;
            return this;
        }

        public Builder unpairedKl(double value) {
            unpairedKl = value;
            return this;
        }

        public Builder innerPasses(int value) {
            innerPasses = value;
            return this;
        }

        public Builder minMargin(double value) {
            minMargin = value;
            return this;
        }

        public Builder marginScale(MarginScale value) {
            marginScale = value;
            return this;
        }

        public Builder nonStopPenalty(double value) {
            nonStopPenalty = value;
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

        /**
         * Makes the configuration.
         *
         * @throws IllegalArgumentException if a value is out of its range
         */
        public OnlineDpoConfig build() {
            return new OnlineDpoConfig(
                    steps,
                    promptsPerStep,
                    promptsPerTrajectory,
                    choicesOnly,
                    replies,
                    temperature,
                    loss,
                    beta,
                    lengthNormalisedBeta,
                    chosenNll,
                    unpairedKl,
                    innerPasses,
                    minMargin,
                    marginScale,
                    nonStopPenalty,
                    learningRate,
                    warmup,
                    decay,
                    maxGradientNorm,
                    microBatchTokens);
        }
    }
}
