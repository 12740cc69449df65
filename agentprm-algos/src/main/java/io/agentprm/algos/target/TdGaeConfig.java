package io.agentprm.algos.target;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;

/** Configuration of temporal-difference targets. */
@Description(
        "Targets from outcomes and the model's own current values by generalised advantage"
                + " estimation, computed anew in every step.")
public record TdGaeConfig(
        @Description(
                        "Weight of what comes later, in [0, 1]: 1 labels every turn with the"
                                + " outcome, less trusts the model's values more.")
                @Default("0.95")
                double lambda,
        @Description("Discount per turn, in [0, 1]; 1 makes values probabilities of success.")
                @Default("1")
                double gamma) {
    /** Checks the ranges. */
    public TdGaeConfig {
        share("lambda", lambda);
        share("gamma", gamma);
    }

    private static void share(String key, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(key + " must lie in [0, 1], was " + value);
        }
    }

    public static TdGaeConfig defaults() {
        return new TdGaeConfig(0.95, 1);
    }

    public TdGaeConfig withLambda(double value) {
        return new TdGaeConfig(value, gamma);
    }

    public TdGaeConfig withGamma(double value) {
        return new TdGaeConfig(lambda, value);
    }
}
