package io.agentprm.env.alfworld.generator;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.env.alfworld.AlfworldException;

/** How games are varied for training. */
@Description("Variation of given games for training, so that a model cannot learn them by heart.")
public record VariationOptions(
        @Description("Variations of each training game, in the split train_varied; 0 for none.")
                @Default("0")
                int perGame,
        @Description("Seed of the variations.") @Default("1") long seed,
        @Description("Permute the numbers within each class: drawer 1 becomes drawer 4, and so on.")
                @Default("true")
                boolean permuteNumbers,
        @Description("Share of games, in [0, 1], in which things are moved to other places.")
                @Default("0.6")
                double relocatedGames,
        @Description("Share of things, in [0, 1], that are moved in such a game.") @Default("1")
                double relocatedThings,
        @Description(
                        "Share of games, in [0, 1], whose rooms are furnished anew: of each class as many"
                                + " receptacles as in some training room of that kind.")
                @Default("0")
                double refurnishedGames) {
    /**
     * Checks ranges.
     *
     * @throws AlfworldException if a number is out of range
     */
    public VariationOptions {
        if (perGame < 0) {
            throw new AlfworldException("per-game must be 0 or more, was " + perGame);
        }
        share("relocated-games", relocatedGames);
        share("relocated-things", relocatedThings);
        share("refurnished-games", refurnishedGames);
    }

    /** Numbers permuted in every game, all things moved in 60 % of them, furniture left. */
    public static VariationOptions standard(int perGame, long seed) {
        return new VariationOptions(perGame, seed, true, 0.6, 1, 0);
    }

    private static void share(String key, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new AlfworldException(key + " must lie in [0, 1], was " + value);
        }
    }
}
