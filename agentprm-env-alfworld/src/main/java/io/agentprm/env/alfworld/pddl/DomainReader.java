package io.agentprm.env.alfworld.pddl;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads a domain. Requirements, functions and costs are accepted and dropped; what the engine could
 * not honour (derived predicates, durative actions, quantified or numeric effects) is refused with
 * its place.
 */
public final class DomainReader {
    private final Source source;
    private final Map<String, String> types = new LinkedHashMap<>();
    private final List<Variable> constants = new ArrayList<>();
    private final Map<String, Integer> predicates = new LinkedHashMap<>();
    private final List<ActionSchema> actions = new ArrayList<>();
    private final FormulaReader formulas;

    private DomainReader(Source source) {
        this.source = source;
        this.formulas = new FormulaReader(source, predicates);
    }

    /**
     * Reads a domain.
     *
     * @throws io.agentprm.env.alfworld.AlfworldException with line and column of what is wrong
     */
    public static Domain read(Source source) {
        return new DomainReader(source).read();
    }

    private Domain read() {
        Sexp.Form define = new SexpReader(source, symbol -> symbol).readDocument();
        List<Sexp.Form> actionForms = new ArrayList<>();
        for (Sexp item : ProblemReader.sections(source, define, "domain")) {
            Sexp.Form section = formulas.form(item);
            switch (section.head()) {
                case ":requirements", ":functions" -> {}
                case ":types" -> readTypes(section);
                case ":constants" -> constants.addAll(formulas.typedList(section.tail()));
                case ":predicates" -> section.tail().forEach(this::declarePredicate);
                case ":action" -> actionForms.add(section);
                default ->
                        throw source.error(
                                section.offset(),
                                "unknown domain section '"
                                        + section.head()
                                        + "'; supported are :requirements, :types, :constants,"
                                        + " :predicates, :functions and :action");
            }
        }
        actionForms.forEach(form -> actions.add(readAction(form)));
        return new Domain(
                Map.copyOf(types),
                List.copyOf(constants),
                Map.copyOf(predicates),
                List.copyOf(actions));
    }

    /** A type without a parent stands alone: {@code object} is a type like others here. */
    private void readTypes(Sexp.Form section) {
        for (Variable type : formulas.typedList(section.tail(), "")) {
            if (!type.type().isEmpty()) {
                types.put(type.name(), type.type());
            }
        }
    }

    private void declarePredicate(Sexp item) {
        Sexp.Form form = formulas.form(item);
        predicates.put(form.head(), formulas.typedList(form.tail()).size());
    }

    private ActionSchema readAction(Sexp.Form form) {
        if (form.items().size() < 2) {
            throw source.error(form.offset(), ":action needs a name");
        }
        String name = formulas.symbol(form.items().get(1)).text();
        List<Variable> parameters = List.of();
        Formula precondition = new Formula.And(List.of());
        List<Effect> effects = new ArrayList<>();
        for (int i = 2; i < form.items().size(); i += 2) {
            Sexp.Symbol key = formulas.symbol(form.items().get(i));
            if (i + 1 == form.items().size()) {
                throw source.error(
                        key.offset(), key.text() + " of action " + name + " has no value");
            }
            Sexp value = form.items().get(i + 1);
            Set<String> scope = FormulaReader.with(Set.of(), parameters);
            switch (key.text()) {
                case ":parameters" ->
                        parameters = List.copyOf(formulas.typedList(formulas.form(value).items()));
                case ":precondition" -> precondition = formulas.read(value, scope);
                case ":effect" -> readEffect(value, new Formula.And(List.of()), scope, effects);
                default ->
                        throw source.error(
                                key.offset(),
                                "unknown part '"
                                        + key.text()
                                        + "' of action "
                                        + name
                                        + "; supported are :parameters, :precondition and :effect");
            }
        }
        return new ActionSchema(name, parameters, precondition, List.copyOf(effects));
    }

    private void readEffect(Sexp item, Formula condition, Set<String> scope, List<Effect> effects) {
        Sexp.Form form = formulas.form(item);
        if (form.items().isEmpty()) {
            return;
        }
        switch (form.head()) {
            case "and" -> form.tail().forEach(part -> readEffect(part, condition, scope, effects));
            case "not" -> {
                expectItems(form, 2);
                Formula.Atom atom = formulas.readAtom(form.items().get(1), scope);
                effects.add(new Effect(condition, atom, false));
            }
            case "when" -> {
                expectItems(form, 3);
                Formula inner = formulas.read(form.items().get(1), scope);
                Formula both = new Formula.And(List.of(condition, inner));
                readEffect(form.items().get(2), both, scope, effects);
            }
            case "increase" -> {}
            default -> effects.add(new Effect(condition, formulas.readAtom(form, scope), true));
        }
    }

    private void expectItems(Sexp.Form form, int count) {
        if (form.items().size() != count) {
            throw source.error(
                    form.offset(), "'" + form.head() + "' takes " + (count - 1) + " parts here");
        }
    }
}
