package io.agentprm.env.alfworld.household;

import java.util.List;

/**
 * A ground fact such as {@code (inReceptacle apple_bar_1 fridge_bar_1)}.
 *
 * @param predicate its predicate
 * @param arguments ids of its arguments
 */
public record Atom(String predicate, List<String> arguments) {
    public Atom {
        arguments = List.copyOf(arguments);
    }

    public static Atom of(String predicate, String... arguments) {
        return new Atom(predicate, List.of(arguments));
    }

    /** The fact as it stands in a problem, without indentation. */
    public String text() {
        return "(" + predicate + " " + String.join(" ", arguments) + ")";
    }
}
