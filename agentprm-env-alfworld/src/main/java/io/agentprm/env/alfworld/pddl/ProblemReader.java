package io.agentprm.env.alfworld.pddl;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Reads a problem of a domain. */
public final class ProblemReader {
    private final Source source;
    private final Domain domain;
    private final FormulaReader formulas;
    private final UnaryOperator<String> intern;
    private final Map<String, String> objects = new HashMap<>();
    private final Map<String, Integer> predicateNumbers = new LinkedHashMap<>();
    private int[] facts = new int[1024];
    private int used;

    private ProblemReader(Source source, Domain domain, UnaryOperator<String> intern) {
        this.source = source;
        this.domain = domain;
        this.intern = intern;
        this.formulas = new FormulaReader(source, domain.predicates());
    }

    /**
     * Reads a problem.
     *
     * @param intern gives one instance for equal symbols
     * @throws io.agentprm.env.alfworld.AlfworldException with line and column of what is wrong
     */
    public static Problem read(Source source, Domain domain, UnaryOperator<String> intern) {
        return new ProblemReader(source, domain, intern).read();
    }

    /** Sections after {@code (define (KIND name)}. */
    static List<Sexp> sections(Source source, Sexp.Form define, String kind) {
        List<Sexp> items = define.items();
        if (!define.head().equals("define")
                || items.size() < 2
                || !(items.get(1) instanceof Sexp.Form title)
                || !title.head().equals(kind)) {
            throw source.error(define.offset(), "expected (define (" + kind + " NAME) ...)");
        }
        return items.subList(2, items.size());
    }

    private Problem read() {
        Sexp.Form define = new SexpReader(source, intern).readDocument();
        Map<String, Sexp.Form> sections = new HashMap<>();
        for (Sexp item : sections(source, define, "problem")) {
            Sexp.Form section = formulas.form(item);
            switch (section.head()) {
                case ":domain", ":requirements", ":metric", ":objects", ":init", ":goal" ->
                        sections.put(section.head(), section);
                default ->
                        throw source.error(
                                section.offset(),
                                "unknown problem section '"
                                        + section.head()
                                        + "'; supported are :domain, :objects, :init, :goal and"
                                        + " :metric");
            }
        }
        for (Variable constant : domain.constants()) {
            objects.put(constant.name(), constant.type());
        }
        for (Variable object : formulas.typedList(required(sections, ":objects", define).tail())) {
            objects.put(object.name(), intern.apply(object.type()));
        }
        String[] ids = objects.keySet().toArray(String[]::new);
        Arrays.sort(ids);
        String[] types = new String[ids.length];
        Map<String, Integer> numbers = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            types[i] = objects.get(ids[i]);
            numbers.put(ids[i], i);
        }
        for (Sexp item : required(sections, ":init", define).tail()) {
            readFact(formulas.form(item), numbers);
        }
        Sexp.Form goal = required(sections, ":goal", define);
        if (goal.items().size() != 2) {
            throw source.error(goal.offset(), ":goal takes one condition");
        }
        return new Problem(
                ids,
                types,
                predicateNumbers.keySet().toArray(String[]::new),
                Arrays.copyOf(facts, used),
                formulas.read(goal.items().get(1), Set.of()));
    }

    private Sexp.Form required(Map<String, Sexp.Form> sections, String name, Sexp.Form define) {
        Sexp.Form section = sections.get(name);
        if (section == null) {
            throw source.error(define.offset(), "the problem has no (" + name + " ...) section");
        }
        return section;
    }

    private void readFact(Sexp.Form form, Map<String, Integer> numbers) {
        if (form.head().equals("=")) {
            return; // initial value of a cost function: costs play no part in the text engine
        }
        formulas.requireArity(form);
        int arity = form.items().size() - 1;
        if (used + 2 + arity > facts.length) {
            facts = Arrays.copyOf(facts, 2 * facts.length + arity);
        }
        facts[used++] =
                predicateNumbers.computeIfAbsent(form.head(), name -> predicateNumbers.size());
        facts[used++] = arity;
        for (Sexp item : form.tail()) {
            Integer number = numbers.get(formulas.symbol(item).text());
            if (number == null) {
                throw source.error(
                        item.offset(),
                        "'"
                                + formulas.symbol(item).text()
                                + "' is not declared; add it to (:objects ...)");
            }
            facts[used++] = number;
        }
    }
}
