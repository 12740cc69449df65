package io.agentprm.env.alfworld.pddl;

import java.util.List;

/** A condition on a state. */
public sealed interface Formula {
    /** A predicate applied to terms. */
    record Atom(String predicate, List<Term> arguments) implements Formula {}

    /** Both terms are the same entity. */
    record Equal(Term left, Term right) implements Formula {}

    /** True if all parts are; an empty one is true. */
    record And(List<Formula> parts) implements Formula {}

    /** True if a part is; an empty one is false. */
    record Or(List<Formula> parts) implements Formula {}

    /** True if the part is not. */
    record Not(Formula part) implements Formula {}

    /** True for some entities of those types. */
    record Exists(List<Variable> variables, Formula part) implements Formula {}

    /** True for all entities of those types. */
    record ForAll(List<Variable> variables, Formula part) implements Formula {}
}
