package io.agentprm.env.alfworld.engine;

import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.pddl.Problem;
import io.agentprm.env.alfworld.twl2.Alternative;
import io.agentprm.env.alfworld.twl2.Expression;
import io.agentprm.env.alfworld.twl2.Grammar;
import io.agentprm.env.alfworld.twl2.Piece;
import io.agentprm.env.alfworld.twl2.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Writes the text of a grammar for a set of facts. */
final class TextWriter {
    private final Grammar grammar;
    private final Problem problem;
    private final String[] names;
    private final String taskSentence;
    private final FactStore facts;

    TextWriter(
            Grammar grammar,
            Problem problem,
            String[] names,
            String taskSentence,
            FactStore facts) {
        this.grammar = grammar;
        this.problem = problem;
        this.names = names;
        this.taskSentence = taskSentence;
        this.facts = facts;
    }

    String write(Piece piece, Optional<Bindings> bindings) {
        if (piece instanceof Piece.Terminal terminal) {
            return terminal.text();
        }
        StringBuilder out = new StringBuilder();
        write(piece, bindings, out);
        return out.toString();
    }

    private void write(Piece piece, Optional<Bindings> bindings, StringBuilder out) {
        if (piece instanceof Piece.Terminal terminal) {
            out.append(terminal.text());
        } else if (piece instanceof Piece.TaskSentence) {
            out.append(taskSentence);
        } else if (piece instanceof Piece.NonTerminal nonTerminal) {
            writeRule(nonTerminal.rule(), bindings, out);
        } else if (piece instanceof Piece.Value value) {
            out.append(value(value.expression(), bindings));
        } else if (piece instanceof Piece.ForEach each) {
            solve(
                    each.query(),
                    bindings,
                    solution -> {
                        write(each.item(), solution, out);
                        return false;
                    });
        } else if (piece instanceof Piece.Listing listing) {
            writeList(listing, bindings, out);
        } else if (piece instanceof Piece.Sequence sequence) {
            sequence.pieces().forEach(part -> write(part, bindings, out));
        }
    }

    void writeRule(String rule, Optional<Bindings> bindings, StringBuilder out) {
        List<Alternative> alternatives = grammar.rules().get(rule);
        if (alternatives == null) {
            throw new AlfworldException(
                    "the grammar has no rule #" + rule + "#; add it to a grammar block");
        }
        for (Alternative alternative : alternatives) {
            if (alternative.condition().isEmpty()
                    || solve(alternative.condition().get(), bindings, solution -> true)) {
                write(alternative.text(), bindings, out);
                return;
            }
        }
        throw new AlfworldException(
                "no alternative of rule #" + rule + "# applies; add one without a condition");
    }

    private void writeList(Piece.Listing listing, Optional<Bindings> bindings, StringBuilder out) {
        List<String> items = new ArrayList<>();
        if (listing.query().isPresent()) {
            solve(
                    listing.query().get(),
                    bindings,
                    solution -> {
                        items.add(write(listing.item(), solution));
                        return false;
                    });
        } else {
            items.add(write(listing.item(), bindings));
        }
        if (items.isEmpty()) {
            writeRule(Grammar.EMPTY, bindings, out);
        }
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                boolean last = i == items.size() - 1;
                writeRule(last ? Grammar.LAST_SEPARATOR : Grammar.SEPARATOR, bindings, out);
            }
            out.append(items.get(i));
        }
    }

    private String value(Expression expression, Optional<Bindings> bindings) {
        if (expression instanceof Expression.Quoted quoted) {
            return quoted.text();
        }
        if (expression instanceof Expression.Sum sum) {
            StringBuilder joined = new StringBuilder();
            sum.parts().forEach(part -> joined.append(value(part, bindings)));
            return joined.toString();
        }
        if (expression instanceof Expression.FirstOf firstOf) {
            String result = "";
            for (Expression option : firstOf.parts()) {
                result = value(option, bindings);
                if (!result.isEmpty()) {
                    break;
                }
            }
            return result;
        }
        Expression.Property property = (Expression.Property) expression;
        int entity = Bindings.find(bindings, property.variable());
        if (entity < 0) {
            throw new AlfworldException(
                    "the grammar prints '"
                            + property.variable()
                            + "', which nothing binds; use a parameter of the action or a"
                            + " placeholder of the query");
        }
        return switch (property.attribute()) {
            case NAME -> names[entity];
            case INDEFINITE -> "a";
            case DEFINITE -> "the";
            case ID -> problem.id(entity);
        };
    }

    /** Visits solutions in order until the visitor returns true; tells whether it did. */
    private boolean solve(
            Query query, Optional<Bindings> bindings, Predicate<Optional<Bindings>> visitor) {
        return solve(query.atoms(), 0, bindings, visitor);
    }

    private boolean solve(
            List<Query.Atom> atoms,
            int index,
            Optional<Bindings> bindings,
            Predicate<Optional<Bindings>> visitor) {
        if (index == atoms.size()) {
            return visitor.test(bindings);
        }
        Query.Atom atom = atoms.get(index);
        int[] pattern = new int[atom.arguments().size()];
        for (int i = 0; i < pattern.length; i++) {
            pattern[i] = Bindings.find(bindings, atom.arguments().get(i));
        }
        for (int[] fact : facts.table(atom.predicate()).candidates(pattern)) {
            Optional<Optional<Bindings>> extended = extend(atom, fact, bindings);
            if (extended.isPresent() && solve(atoms, index + 1, extended.get(), visitor)) {
                return true;
            }
        }
        return false;
    }

    private Optional<Optional<Bindings>> extend(
            Query.Atom atom, int[] fact, Optional<Bindings> bindings) {
        if (fact.length != atom.arguments().size()) {
            return Optional.empty();
        }
        Optional<Bindings> extended = bindings;
        for (int i = 0; i < fact.length; i++) {
            Query.Placeholder placeholder = atom.arguments().get(i);
            if (!problem.type(fact[i]).equals(placeholder.type())) {
                return Optional.empty();
            }
            int bound = Bindings.find(extended, placeholder);
            if (bound < 0) {
                if (Bindings.takes(extended, fact[i])) {
                    return Optional.empty();
                }
                extended = Bindings.bind(extended, placeholder, fact[i]);
            } else if (bound != fact[i]) {
                return Optional.empty();
            }
        }
        return Optional.of(extended);
    }
}
