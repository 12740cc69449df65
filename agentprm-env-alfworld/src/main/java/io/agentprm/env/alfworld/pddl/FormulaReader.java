package io.agentprm.env.alfworld.pddl;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Turns forms into formulas and checks predicates and variables on the way. */
final class FormulaReader {
    private final Source source;
    private final Map<String, Integer> predicates;

    FormulaReader(Source source, Map<String, Integer> predicates) {
        this.source = source;
        this.predicates = predicates;
    }

    Formula read(Sexp expression, Set<String> scope) {
        Sexp.Form form = form(expression);
        if (form.items().isEmpty()) {
            return new Formula.And(List.of());
        }
        return switch (form.head()) {
            case "and" -> new Formula.And(readAll(form, scope));
            case "or" -> new Formula.Or(readAll(form, scope));
            case "not" -> new Formula.Not(read(only(form), scope));
            case "imply" -> imply(form, scope);
            case "exists" -> {
                List<Variable> variables = quantified(form);
                yield new Formula.Exists(
                        variables, read(form.items().get(2), with(scope, variables)));
            }
            case "forall" -> {
                List<Variable> variables = quantified(form);
                yield new Formula.ForAll(
                        variables, read(form.items().get(2), with(scope, variables)));
            }
            case "=" -> equality(form, scope);
            default -> readAtom(form, scope);
        };
    }

    Formula.Atom readAtom(Sexp expression, Set<String> scope) {
        Sexp.Form form = form(expression);
        requireArity(form);
        List<Term> arguments = new ArrayList<>();
        for (Sexp item : form.tail()) {
            arguments.add(term(item, scope));
        }
        return new Formula.Atom(form.head(), List.copyOf(arguments));
    }

    /** A predicate of the domain with as many arguments as it takes. */
    void requireArity(Sexp.Form form) {
        String predicate = form.head();
        Integer arity = predicates.get(predicate);
        if (arity == null) {
            throw source.error(
                    form.offset(),
                    "unknown construct or predicate '"
                            + predicate
                            + "'; use and, or, not, imply, exists, forall, = or a predicate of the"
                            + " domain's (:predicates ...)");
        }
        int arguments = form.items().size() - 1;
        if (arguments != arity) {
            throw source.error(
                    form.offset(),
                    "predicate '"
                            + predicate
                            + "' takes "
                            + arity
                            + " arguments, not "
                            + arguments);
        }
    }

    /** {@code a b - type c}: names before a dash have the type after it, others {@code object}. */
    List<Variable> typedList(List<Sexp> items) {
        return typedList(items, "object");
    }

    List<Variable> typedList(List<Sexp> items, String untyped) {
        List<Variable> variables = new ArrayList<>();
        List<String> pending = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            String text = symbol(items.get(i)).text();
            if (!text.equals("-")) {
                pending.add(text);
                continue;
            }
            if (++i == items.size()) {
                throw source.error(items.get(i - 1).offset(), "a type must follow this dash");
            }
            String type = symbol(items.get(i)).text();
            pending.forEach(name -> variables.add(new Variable(name, type)));
            pending.clear();
        }
        pending.forEach(name -> variables.add(new Variable(name, untyped)));
        return variables;
    }

    Sexp.Form form(Sexp expression) {
        if (expression instanceof Sexp.Form form) {
            return form;
        }
        throw source.error(
                expression.offset(),
                "found '"
                        + ((Sexp.Symbol) expression).text()
                        + "' where a form in parentheses belongs");
    }

    Sexp.Symbol symbol(Sexp expression) {
        if (expression instanceof Sexp.Symbol symbol) {
            return symbol;
        }
        throw source.error(expression.offset(), "found a form where a name belongs");
    }

    static Set<String> with(Set<String> scope, List<Variable> variables) {
        Set<String> wider = new HashSet<>(scope);
        variables.forEach(variable -> wider.add(variable.name()));
        return wider;
    }

    private Formula imply(Sexp.Form form, Set<String> scope) {
        List<Formula> parts = readAll(form, scope);
        if (parts.size() != 2) {
            throw source.error(form.offset(), "imply takes two conditions");
        }
        return new Formula.Or(List.of(new Formula.Not(parts.get(0)), parts.get(1)));
    }

    private Formula equality(Sexp.Form form, Set<String> scope) {
        if (form.items().size() != 3) {
            throw source.error(form.offset(), "= takes two terms");
        }
        return new Formula.Equal(
                term(form.items().get(1), scope), term(form.items().get(2), scope));
    }

    private List<Variable> quantified(Sexp.Form form) {
        if (form.items().size() != 3) {
            throw source.error(
                    form.offset(), form.head() + " takes a list of variables and one condition");
        }
        return typedList(form(form.items().get(1)).items());
    }

    private Sexp only(Sexp.Form form) {
        if (form.items().size() != 2) {
            throw source.error(form.offset(), form.head() + " takes one condition");
        }
        return form.items().get(1);
    }

    private List<Formula> readAll(Sexp.Form form, Set<String> scope) {
        List<Formula> parts = new ArrayList<>();
        for (Sexp item : form.tail()) {
            parts.add(read(item, scope));
        }
        return List.copyOf(parts);
    }

    private Term term(Sexp item, Set<String> scope) {
        Sexp.Symbol symbol = symbol(item);
        if (symbol.isVariable() && !scope.contains(symbol.text())) {
            throw source.error(
                    symbol.offset(),
                    "variable "
                            + symbol.text()
                            + " is not declared; add it to the parameters or to a quantifier");
        }
        return new Term(symbol.text());
    }
}
