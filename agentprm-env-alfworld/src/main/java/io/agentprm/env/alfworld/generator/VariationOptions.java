package io.agentprm.env.alfworld.generator;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;

/** How games are varied for training. */
@Description("Variation of given games for training, so that a model cannot learn them by heart.")
public record VariationOptions(
        @Description("Permute the numbers within each class: drawer 1 becomes drawer 4, and so on.")
                @Default("true")
                boolean permuteNumbers,
        @Description("Share of games, in [0, 1], in which things are moved to other places.")
                @Default("0.6")
                double relocatedGames,
        @Description("Share of things, in [0, 1], that are moved in such a game.") @Default("1")
                double relocatedThings) {
    public VariationOptions {
        share("relocated-games", relocatedGames);
        share("relocated-things", relocatedThings);
    }

    /** Numbers permuted in every game, all things moved in 60 % of them. */
    public static VariationOptions standard() {
        return new VariationOptions(true, 0.6, 1);
    }

    private static void share(String key, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(key + " must lie in [0, 1], was " + value);
        }
    }
}
