package io.agentprm.env.webshop.expert;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import java.util.Locale;

/** How good a shopper is. */
@Description("A shopper that uses only what an agent sees, for demonstrations and baselines.")
public record ShopperOptions(
        @Description("How it shops.") @Default("expert") ShopperKind kind,
        @Description(
                        "Number of results that the expert looks at before it decides, and of the"
                                + " first results of which a hasty shopper opens any; at least 1.")
                @Default("3")
                int candidates,
        @Description("Read the features of each as well, which takes two more actions.")
                @Default("false")
                boolean readFeatures,
        @Description(
                        "Probability, in [0, 1], of a random click instead; such actions are marked"
                                + " as not deliberate, so training leaves them out.")
                @Default("0")
                double noise) {
    /**
     * Checks ranges.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public ShopperOptions {
        if (candidates < 1) {
            throw new IllegalArgumentException("candidates must be 1 or more, was " + candidates);
        }
        if (!(noise >= 0 && noise <= 1)) {
            throw new IllegalArgumentException("noise must lie in [0, 1], was " + noise);
        }
    }

    /** The best shopper of a kind. */
    public static ShopperOptions of(ShopperKind kind) {
        return new ShopperOptions(kind, 3, false, 0);
    }

    /** The same with random clicks mixed in. */
    public ShopperOptions withNoise(double probability) {
        return new ShopperOptions(kind, candidates, readFeatures, probability);
    }

    /** Stable name for reports, such as {@code expert-3-noise0.05}. */
    String id() {
        StringBuilder id =
                new StringBuilder(kind.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        if (kind == ShopperKind.EXPERT || kind == ShopperKind.HASTY) {
            id.append('-').append(candidates).append(readFeatures ? "-reading" : "");
        }
        if (noise > 0) {
            id.append("-noise").append(noise);
        }
        return id.toString();
    }
}
