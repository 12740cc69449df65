package io.agentprm.env.alfworld.generator;

import io.agentprm.env.alfworld.household.Atom;
import java.util.List;
import java.util.Map;

/** Writes problems. */
final class ProblemText {
    private ProblemText() {}

    /**
     * A problem in PDDL.
     *
     * @param objects ids with their types, in order
     * @param goal the goal's formula
     */
    static String write(
            String name,
            String domain,
            Map<String, String> objects,
            List<Atom> facts,
            String goal) {
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
}
