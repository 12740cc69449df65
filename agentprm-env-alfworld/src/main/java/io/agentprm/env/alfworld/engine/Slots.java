package io.agentprm.env.alfworld.engine;

import io.agentprm.env.alfworld.pddl.Problem;
import io.agentprm.env.alfworld.pddl.Term;
import io.agentprm.env.alfworld.pddl.Variable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers the variables of one condition; quantified ones get slots of their own. */
final class Slots {
    static final int UNBOUND = -1;

    /** A constant that the problem does not have: matches nothing. */
    private static final int NOTHING = Integer.MAX_VALUE;

    private final Problem problem;
    private final List<String> types = new ArrayList<>();

    Slots(Problem problem) {
        this.problem = problem;
    }

    int add(Variable variable) {
        types.add(variable.type());
        return types.size() - 1;
    }

    /** Opens a scope with these variables added. */
    Map<String, Integer> scope(Map<String, Integer> outer, List<Variable> variables) {
        Map<String, Integer> scope = new HashMap<>(outer);
        variables.forEach(variable -> scope.put(variable.name(), add(variable)));
        return scope;
    }

    int size() {
        return types.size();
    }

    List<String> types() {
        return List.copyOf(types);
    }

    /** Slot of a variable, or a constant coded as a negative number. */
    int term(Term term, Map<String, Integer> scope) {
        return term.isVariable() ? scope.get(term.text()) : constant(problem, term.text());
    }

    static int constant(Problem problem, String id) {
        int entity = problem.entity(id);
        return entity < 0 ? -NOTHING : -entity - 1;
    }

    /** Entity of a coded term, {@link #UNBOUND} if its slot is empty. */
    static int value(int term, int[] binding) {
        return term >= 0 ? binding[term] : -(term + 1);
    }
}
