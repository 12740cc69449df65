package io.agentprm.env.alfworld.expert;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.env.alfworld.AlfworldException;

/** How good an expert is. */
@Description("An expert of household games, for demonstrations and baselines.")
public record ExpertOptions(
        @Description("What it knows: explorer, planner or random.") @Default("explorer")
                ExpertKind kind,
        @Description("In which order the explorer looks for things: prior, random or reverse.")
                @Default("prior")
                SearchOrder order,
        @Description(
                        "Probability, in [0, 1], of a random admissible action instead; such actions"
                                + " are marked as not deliberate, so training leaves them out.")
                @Default("0")
                double noise,
        @Description(
                        "Number of receptacles looked into after which the explorer gives up and acts"
                                + " at random; 0 for never.")
                @Default("0")
                int patience,
        @Description("Split on which the explorer learns where things lie.") @Default("train")
                String priorSplit,
        @Description("Number of games of that split it learns from, evenly spread; 0 for all.")
                @Default("0")
                int priorGames) {
    public ExpertOptions {
        if (!(noise >= 0 && noise <= 1)) {
            throw new AlfworldException("noise must lie in [0, 1], was " + noise);
        }
        if (patience < 0) {
            throw new AlfworldException("patience must be 0 or more, was " + patience);
        }
        if (priorGames < 0) {
            throw new AlfworldException("prior-games must be 0 or more, was " + priorGames);
        }
    }

    /** The best expert of a kind. */
    public static ExpertOptions of(ExpertKind kind) {
        return new ExpertOptions(kind, SearchOrder.PRIOR, 0, 0, "train", 0);
    }

    /** The same expert with another search order. */
    public ExpertOptions with(SearchOrder other) {
        return new ExpertOptions(kind, other, noise, patience, priorSplit, priorGames);
    }

    /** The same expert with random actions mixed in. */
    public ExpertOptions withNoise(double probability) {
        return new ExpertOptions(kind, order, probability, patience, priorSplit, priorGames);
    }

    /** The same expert that gives up after so many receptacles. */
    public ExpertOptions withPatience(int receptacles) {
        return new ExpertOptions(kind, order, noise, receptacles, priorSplit, priorGames);
    }

    /** Stable name for reports, such as {@code explorer-prior-noise0.05}. */
    String id() {
        StringBuilder id = new StringBuilder(lower(kind));
        if (kind == ExpertKind.EXPLORER) {
            id.append('-').append(lower(order));
        }
        if (patience > 0) {
            id.append("-patience").append(patience);
        }
        if (noise > 0) {
            id.append("-noise").append(noise);
        }
        return id.toString();
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(java.util.Locale.ROOT);
    }
}
