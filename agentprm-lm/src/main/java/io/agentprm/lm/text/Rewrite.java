package io.agentprm.lm.text;

import io.agentprm.api.config.Description;

/** A replacement in the text of observations, before it is encoded. */
@Description("A replacement in the text of every observation, to make it shorter for small models.")
public record Rewrite(
        @Description("Regular expression of java.util.regex.") String pattern,
        @Description("What replaces each match; $1 stands for the first group.")
                String replacement) {}
