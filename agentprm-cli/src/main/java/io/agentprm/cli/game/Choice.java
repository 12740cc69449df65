package io.agentprm.cli.game;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * An action to choose, with what the advisers think of it.
 *
 * @param score raw score; empty without a reward model
 * @param probability that score as a probability of success; empty where it is none
 * @param proposed true if it is what the policy would do
 */
public record Choice(
        String action, OptionalDouble score, OptionalDouble probability, boolean proposed) {
    /** The score as a probability where it is one, else as it is; empty text without a score. */
    public String scoreText() {
        if (score.isEmpty()) {
            return "";
        }
        return probability.isPresent()
                ? String.format(Locale.ROOT, "%.3f", probability.getAsDouble())
                : rawText();
    }

    /** The raw score; empty text without one. */
    public String rawText() {
        return score.isPresent() ? String.format(Locale.ROOT, "%.2f", score.getAsDouble()) : "";
    }
}
