package io.agentprm.env.alfworld.engine;

import io.agentprm.env.alfworld.pddl.Formula;
import io.agentprm.env.alfworld.pddl.Term;
import io.agentprm.env.alfworld.pddl.Variable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Recognises the goals of the released tasks. */
final class Goals {
    private static final Set<String> AGENT_ATOMS =
            Set.of("receptacleatlocation", "atlocation", "holds");

    /**
     * What must hold for an object.
     *
     * @param types constants that must be its type
     * @param properties predicates that must hold for it
     */
    record Wanted(Set<String> types, Set<String> properties) {}

    /**
     * A goal.
     *
     * @param object in words of its facts
     * @param count how many different ones must lie in one receptacle; 0 if one must be held
     * @param receptacleTypes types of that receptacle
     * @param lamp what must be used and be in a receptacle where the agent is, if {@code count} is
     *     0
     */
    record Goal(Wanted object, int count, Set<String> receptacleTypes, Optional<Wanted> lamp) {}

    private record FlatAtom(String predicate, List<String> arguments) {}

    private final List<FlatAtom> atoms = new ArrayList<>();
    private final List<FlatAtom> different = new ArrayList<>();
    private int variables;
    private boolean known = true;

    private Goals() {}

    static Optional<Goal> recognise(Formula formula) {
        Goals goals = new Goals();
        goals.flatten(formula, Map.of());
        return goals.known ? goals.match() : Optional.empty();
    }

    private void flatten(Formula formula, Map<String, String> scope) {
        if (formula instanceof Formula.And and) {
            and.parts().forEach(part -> flatten(part, scope));
        } else if (formula instanceof Formula.Exists exists) {
            Map<String, String> inner = new HashMap<>(scope);
            for (Variable variable : exists.variables()) {
                inner.put(variable.name(), "?" + variables++);
            }
            flatten(exists.part(), inner);
        } else if (formula instanceof Formula.Atom atom) {
            List<String> arguments =
                    atom.arguments().stream().map(term -> text(term, scope)).toList();
            atoms.add(new FlatAtom(atom.predicate(), arguments));
        } else if (formula instanceof Formula.Not not
                && not.part() instanceof Formula.Equal equal) {
            different.add(
                    new FlatAtom(
                            "=", List.of(text(equal.left(), scope), text(equal.right(), scope))));
        } else {
            known = false;
        }
    }

    private static String text(Term term, Map<String, String> scope) {
        return term.isVariable() ? scope.get(term.text()) : term.text();
    }

    private Optional<Goal> match() {
        List<FlatAtom> places = withPredicate("inreceptacle");
        List<FlatAtom> holds = withPredicate("holds");
        if (places.isEmpty() || places.size() > 2) {
            return Optional.empty();
        }
        String object = places.get(0).arguments().get(0);
        String receptacle = places.get(0).arguments().get(1);
        if (!object.startsWith("?") || !receptacle.startsWith("?")) {
            return Optional.empty();
        }
        if (places.size() == 2) {
            String other = places.get(1).arguments().get(0);
            boolean pair =
                    different.size() == 1
                            && Set.copyOf(different.get(0).arguments())
                                    .equals(Set.of(object, other))
                            && places.get(1).arguments().get(1).equals(receptacle)
                            && wanted(object).equals(wanted(other));
            return pair ? stored(Set.of(object, other), receptacle, 2) : Optional.empty();
        }
        if (!different.isEmpty()) {
            return Optional.empty();
        }
        return holds.isEmpty()
                ? stored(Set.of(object), receptacle, 1)
                : underLamp(object, receptacle, holds);
    }

    private Optional<Goal> stored(Set<String> objects, String receptacle, int count) {
        for (FlatAtom atom : atoms) {
            String first = atom.arguments().get(0);
            boolean fits =
                    atom.predicate().equals("inreceptacle")
                            || (objects.contains(first) && isAboutObject(atom))
                            || (first.equals(receptacle)
                                    && atom.predicate().equals("receptacletype")
                                    && !atom.arguments().get(1).startsWith("?"));
            if (!fits) {
                return Optional.empty();
            }
        }
        return Optional.of(
                new Goal(
                        wanted(objects.iterator().next()),
                        count,
                        typesOf(receptacle, "receptacletype"),
                        Optional.empty()));
    }

    private Optional<Goal> underLamp(String lamp, String receptacle, List<FlatAtom> holds) {
        List<FlatAtom> at = withPredicate("atlocation");
        List<FlatAtom> located = withPredicate("receptacleatlocation");
        if (holds.size() != 1 || at.size() != 1 || located.size() != 1) {
            return Optional.empty();
        }
        String object = holds.get(0).arguments().get(1);
        boolean here =
                located.get(0).arguments().get(0).equals(receptacle)
                        && located.get(0).arguments().get(1).equals(at.get(0).arguments().get(1));
        for (FlatAtom atom : atoms) {
            String first = atom.arguments().get(0);
            boolean fits =
                    atom.predicate().equals("inreceptacle")
                            || AGENT_ATOMS.contains(atom.predicate())
                            || ((first.equals(lamp) || first.equals(object))
                                    && isAboutObject(atom));
            here &= fits;
        }
        return here && !lamp.equals(object) && object.startsWith("?")
                ? Optional.of(new Goal(wanted(object), 0, Set.of(), Optional.of(wanted(lamp))))
                : Optional.empty();
    }

    private static boolean isAboutObject(FlatAtom atom) {
        return atom.predicate().equals("objecttype")
                ? !atom.arguments().get(1).startsWith("?")
                : atom.arguments().size() == 1;
    }

    private Wanted wanted(String variable) {
        Set<String> properties = new HashSet<>();
        for (FlatAtom atom : atoms) {
            if (atom.arguments().size() == 1 && atom.arguments().get(0).equals(variable)) {
                properties.add(atom.predicate());
            }
        }
        return new Wanted(typesOf(variable, "objecttype"), properties);
    }

    private Set<String> typesOf(String variable, String predicate) {
        Set<String> types = new HashSet<>();
        for (FlatAtom atom : atoms) {
            if (atom.predicate().equals(predicate) && atom.arguments().get(0).equals(variable)) {
                types.add(atom.arguments().get(1));
            }
        }
        return types;
    }

    private List<FlatAtom> withPredicate(String predicate) {
        return atoms.stream().filter(atom -> atom.predicate().equals(predicate)).toList();
    }
}
