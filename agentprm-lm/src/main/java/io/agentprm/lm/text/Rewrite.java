package io.agentprm.lm.text;

import io.agentprm.api.config.Description;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** A replacement in the text of observations, before it is encoded. */
@Description("A replacement in the text of every observation, to make it shorter for small models.")
public record Rewrite(
        @Description("Regular expression of java.util.regex.") String pattern,
        @Description("What replaces each match; $1 stands for the first group.")
                String replacement) {
    /** Checks that the pattern is one and that the replacement names its groups only. */
    public Rewrite {
        try {
            Pattern.compile(pattern);
            // A replacement is looked at only where something matches: the empty text does here.
            Pattern.compile(pattern + "|").matcher("").replaceAll(replacement);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "pattern is no regular expression: " + e.getDescription() + " in " + pattern,
                    e);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException(
                    "replacement '"
                            + replacement
                            + "' does not fit its pattern ("
                            + e.getMessage()
                            + "); $1 is the first group, and a dollar sign is written \\$",
                    e);
        }
    }
}
