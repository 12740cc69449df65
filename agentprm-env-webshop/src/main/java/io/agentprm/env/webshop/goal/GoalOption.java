package io.agentprm.env.webshop.goal;

import io.agentprm.env.webshop.python.PythonText;
import java.util.Optional;

/**
 * An option that a goal asks for.
 *
 * @param name its group; instructions of people give the value only
 * @param value such as {@code x-large}
 */
public record GoalOption(Optional<String> name, String value) {
    /** A value alone, as people ask for it. */
    public static GoalOption of(String value) {
        return new GoalOption(Optional.empty(), value);
    }

    /** A value of a group. */
    public static GoalOption of(String name, String value) {
        return new GoalOption(Optional.of(name), value);
    }

    /** As Python writes it: the value, or the pair {@code ('size', 'x-large')}. */
    public String pythonText() {
        return name.map(group -> "(" + PythonText.repr(group) + ", " + PythonText.repr(value) + ")")
                .orElse(value);
    }
}
