package io.agentprm.env.alfworld.engine;

import io.agentprm.env.alfworld.pddl.Formula;
import io.agentprm.env.alfworld.pddl.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Disjunctive normal form with quantifiers turned into slots or into clauses that must not hold.
 */
final class Normaliser {
    private final Slots slots;

    Normaliser(Slots slots) {
        this.slots = slots;
    }

    /** Clauses of which one must hold. */
    List<Clause> normalise(Formula formula, Map<String, Integer> scope) {
        return normalise(formula, scope, true);
    }

    private List<Clause> normalise(Formula formula, Map<String, Integer> scope, boolean wanted) {
        if (formula instanceof Formula.Atom atom) {
            return List.of(literal(slotAtom(atom, scope), wanted));
        }
        if (formula instanceof Formula.Equal equal) {
            Clause.Equality equality =
                    new Clause.Equality(
                            slots.term(equal.left(), scope),
                            slots.term(equal.right(), scope),
                            wanted);
            return List.of(
                    new Clause(Set.of(), List.of(), List.of(), List.of(equality), List.of()));
        }
        if (formula instanceof Formula.Not not) {
            return normalise(not.part(), scope, !wanted);
        }
        if (formula instanceof Formula.And and) {
            return wanted ? all(and.parts(), scope, true) : any(and.parts(), scope, false);
        }
        if (formula instanceof Formula.Or or) {
            return wanted ? any(or.parts(), scope, true) : all(or.parts(), scope, false);
        }
        if (formula instanceof Formula.Exists exists) {
            return wanted
                    ? some(exists.variables(), exists.part(), scope, true)
                    : none(exists.variables(), exists.part(), scope, true);
        }
        Formula.ForAll forAll = (Formula.ForAll) formula;
        return wanted
                ? none(forAll.variables(), forAll.part(), scope, false)
                : some(forAll.variables(), forAll.part(), scope, false);
    }

    Clause.SlotAtom slotAtom(Formula.Atom atom, Map<String, Integer> scope) {
        return new Clause.SlotAtom(
                atom.predicate(),
                atom.arguments().stream().mapToInt(term -> slots.term(term, scope)).toArray());
    }

    private static Clause literal(Clause.SlotAtom atom, boolean wanted) {
        return wanted
                ? new Clause(Set.of(), List.of(atom), List.of(), List.of(), List.of())
                : new Clause(Set.of(), List.of(), List.of(atom), List.of(), List.of());
    }

    private List<Clause> all(List<Formula> parts, Map<String, Integer> scope, boolean wanted) {
        List<Clause> result = List.of(Clause.TRUE);
        for (Formula part : parts) {
            List<Clause> next = new ArrayList<>();
            for (Clause right : normalise(part, scope, wanted)) {
                result.forEach(left -> next.add(left.and(right)));
            }
            result = next;
        }
        return result;
    }

    private List<Clause> any(List<Formula> parts, Map<String, Integer> scope, boolean wanted) {
        List<Clause> result = new ArrayList<>();
        parts.forEach(part -> result.addAll(normalise(part, scope, wanted)));
        return result;
    }

    private List<Clause> some(
            List<Variable> variables, Formula part, Map<String, Integer> scope, boolean wanted) {
        Map<String, Integer> inner = slots.scope(scope, variables);
        Set<Integer> own = new TreeSet<>();
        variables.forEach(variable -> own.add(inner.get(variable.name())));
        Clause filled = new Clause(own, List.of(), List.of(), List.of(), List.of());
        return normalise(part, inner, wanted).stream().map(filled::and).toList();
    }

    private List<Clause> none(
            List<Variable> variables, Formula part, Map<String, Integer> scope, boolean wanted) {
        List<Clause> excluded = some(variables, part, scope, wanted);
        return List.of(new Clause(Set.of(), List.of(), List.of(), List.of(), List.of(excluded)));
    }
}
