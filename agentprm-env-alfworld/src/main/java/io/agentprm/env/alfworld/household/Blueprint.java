package io.agentprm.env.alfworld.household;

import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.pddl.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A problem that can be changed and written again.
 *
 * @param name its name
 * @param domain name of its domain
 * @param objects ids with their types, in order
 * @param facts what is true at the start, in order
 * @param goal formula of the goal, in PDDL
 */
public record Blueprint(
        String name, String domain, Map<String, String> objects, List<Atom> facts, String goal) {
    public Blueprint {
        objects = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(objects));
        facts = List.copyOf(facts);
    }

    /** A problem as the engine read it, without its names; everything is in lower case. */
    public static Blueprint of(Problem problem) {
        Map<String, String> objects = new LinkedHashMap<>();
        for (int entity = 0; entity < problem.size(); entity++) {
            objects.put(problem.id(entity), problem.type(entity));
        }
        List<Atom> facts = new ArrayList<>();
        problem.forEachFact(
                (predicate, arguments) -> {
                    List<String> ids = new ArrayList<>();
                    for (int argument : arguments) {
                        ids.add(problem.id(argument));
                    }
                    facts.add(new Atom(predicate, ids));
                });
        return new Blueprint("", "", objects, facts, FormulaText.write(problem.goal()));
    }

    /** The same problem under other names. */
    public Blueprint named(String problem, String domainName) {
        return new Blueprint(problem, domainName, objects, facts, goal);
    }

    /** The problem in PDDL. */
    public String text() {
        StringBuilder text = new StringBuilder();
        text.append("(define (problem ").append(name).append(")\n");
        text.append("  (:domain ").append(domain).append(")\n");
        text.append("  (:objects\n");
        objects.forEach(
                (id, type) ->
                        text.append("    ").append(id).append(" - ").append(type).append('\n'));
        text.append("  )\n  (:init\n");
        facts.forEach(fact -> text.append("    ").append(fact.text()).append('\n'));
        text.append("  )\n  (:goal ").append(goal).append(")\n)\n");
        return text.toString();
    }

    /**
     * The room at the start.
     *
     * @throws AlfworldException if the goal has none of the six known shapes
     */
    public Household household() {
        return Household.of(facts, GoalFormula.read(goal));
    }
}
