package io.agentprm.algos.target;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;

/** Configuration of the Monte Carlo estimator. */
@Description("Monte Carlo targets: the mean discounted return of all visits to a turn.")
public record McConfig(
        @Description("Discount per turn, in [0, 1].") @Default("0.95") double gamma,
        @Description(
                        "to-go discounts by the number of turns to the end; from-start by the number"
                                + " of turns from the start, as a released implementation did.")
                @Default("to-go")
                Discount discount,
        @Description(
                        "signed takes a failure as -1 before discounting and maps the result back"
                                + " to [0, 1]; unsigned takes it as 0.")
                @Default("signed")
                Mapping mapping,
        @Description(
                        "outcome counts the outcome of the episode only; dense sums the rewards of"
                                + " the turns.")
                @Default("outcome")
                Reward reward,
        @Description(
                        "Which visits are the same turn: full-history (instruction, whole history,"
                                + " candidates in any order, action), last-observation (instruction,"
                                + " current observation, action) or none.")
                @Default("full-history")
                Grouping grouping,
        @Description("Whether the reason written before an action belongs to the key.")
                @Default("false")
                boolean reasonInKey,
        @Description(
                        "exclude drops truncated episodes and counts them; bootstrap values their"
                                + " final state by the run's policy and reward model.")
                @Default("exclude")
                Truncated truncated,
        @Description("Whether visits of different policies may be averaged.") @Default("false")
                boolean poolPolicies) {

    /** Direction of the discount. */
    public enum Discount {
        TO_GO,
        FROM_START
    }

    /** Value of a failure before discounting. */
    public enum Mapping {
        SIGNED,
        UNSIGNED
    }

    /** What is summed. */
    public enum Reward {
        OUTCOME,
        DENSE
    }

    /** Which visits are the same turn. */
    public enum Grouping {
        FULL_HISTORY,
        LAST_OBSERVATION,
        NONE
    }

    /** What becomes of truncated episodes. */
    public enum Truncated {
        EXCLUDE,
        BOOTSTRAP
    }

    /** Checks the ranges. */
    public McConfig {
        if (!(gamma >= 0 && gamma <= 1)) {
            throw new IllegalArgumentException("gamma must lie in [0, 1], was " + gamma);
        }
    }

    /** The defaults. */
    public static McConfig defaults() {
        return new McConfig(
                0.95,
                Discount.TO_GO,
                Mapping.SIGNED,
                Reward.OUTCOME,
                Grouping.FULL_HISTORY,
                false,
                Truncated.EXCLUDE,
                false);
    }

    public McConfig withGamma(double value) {
        return new McConfig(
                value, discount, mapping, reward, grouping, reasonInKey, truncated, poolPolicies);
    }

    public McConfig with(Discount value) {
        return new McConfig(
                gamma, value, mapping, reward, grouping, reasonInKey, truncated, poolPolicies);
    }

    public McConfig with(Mapping value) {
        return new McConfig(
                gamma, discount, value, reward, grouping, reasonInKey, truncated, poolPolicies);
    }

    public McConfig with(Reward value) {
        return new McConfig(
                gamma, discount, mapping, value, grouping, reasonInKey, truncated, poolPolicies);
    }

    public McConfig with(Grouping value) {
        return new McConfig(
                gamma, discount, mapping, reward, value, reasonInKey, truncated, poolPolicies);
    }

    public McConfig withReasonInKey(boolean value) {
        return new McConfig(
                gamma, discount, mapping, reward, grouping, value, truncated, poolPolicies);
    }

    public McConfig with(Truncated value) {
        return new McConfig(
                gamma, discount, mapping, reward, grouping, reasonInKey, value, poolPolicies);
    }

    public McConfig withPoolPolicies(boolean value) {
        return new McConfig(
                gamma, discount, mapping, reward, grouping, reasonInKey, truncated, value);
    }
}
