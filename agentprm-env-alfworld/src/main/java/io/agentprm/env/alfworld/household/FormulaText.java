package io.agentprm.env.alfworld.household;

import io.agentprm.env.alfworld.pddl.Formula;
import io.agentprm.env.alfworld.pddl.Term;
import io.agentprm.env.alfworld.pddl.Variable;
import java.util.List;
import java.util.stream.Collectors;

/** Writes formulas in PDDL. */
final class FormulaText {
    private FormulaText() {}

    static String write(Formula formula) {
        if (formula instanceof Formula.Atom atom) {
            return "("
                    + atom.predicate()
                    + atom.arguments().stream()
                            .map(term -> " " + term.text())
                            .collect(Collectors.joining())
                    + ")";
        } else if (formula instanceof Formula.Equal equal) {
            return "(= " + text(equal.left()) + " " + text(equal.right()) + ")";
        } else if (formula instanceof Formula.And and) {
            return join("and", and.parts());
        } else if (formula instanceof Formula.Or or) {
            return join("or", or.parts());
        } else if (formula instanceof Formula.Not not) {
            return "(not " + write(not.part()) + ")";
        } else if (formula instanceof Formula.Exists exists) {
            return quantified("exists", exists.variables(), exists.part());
        }
        Formula.ForAll all = (Formula.ForAll) formula;
        return quantified("forall", all.variables(), all.part());
    }

    private static String text(Term term) {
        return term.text();
    }

    private static String join(String word, List<Formula> parts) {
        return parts.stream()
                .map(part -> " " + write(part))
                .collect(Collectors.joining("", "(" + word, ")"));
    }

    private static String quantified(String word, List<Variable> variables, Formula part) {
        String names =
                variables.stream()
                        .map(variable -> variable.name() + " - " + variable.type())
                        .collect(Collectors.joining(" ", "(", ")"));
        return "(" + word + " " + names + " " + write(part) + ")";
    }
}
