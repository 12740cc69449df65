package io.agentprm.env.alfworld.twl2;

import java.util.List;

/** Atoms joined by {@code &}, solved from left to right. */
public record Query(List<Atom> atoms) {
    /** Stands for an entity of a type; two are the same if name and type are. */
    public record Placeholder(String name, String type) {}

    /** A predicate applied to placeholders. */
    public record Atom(String predicate, List<Placeholder> arguments) {}
}
