package io.agentprm.env.alfworld.twl2;

import java.util.List;
import java.util.Map;

/**
 * A grammar.
 *
 * @param rules alternatives by name of rule
 * @param actions by name of action in lower case
 */
public record Grammar(Map<String, List<Alternative>> rules, Map<String, ActionText> actions) {
    /** Rule of the first observation. */
    public static final String INTRO = "intro";

    /** Rules that join lists. */
    public static final String SEPARATOR = "list_separator";

    /** Before the last item. */
    public static final String LAST_SEPARATOR = "list_last_separator";

    /** Instead of a list without items. */
    public static final String EMPTY = "list_empty";

    public Grammar {
        rules = Map.copyOf(rules);
        actions = Map.copyOf(actions);
    }
}
