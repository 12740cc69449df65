package io.agentprm.env.alfworld.household;

import io.agentprm.env.alfworld.AlfworldException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A problem as it is written: unlike what the engine makes of it, it keeps order and spelling, so
 * that it can be changed and written again.
 *
 * @param name its name
 * @param domain name of its domain
 * @param objects ids with their types, in order
 * @param facts what is true at the start, in order
 * @param goal formula of the goal
 */
public record Blueprint(
        String name, String domain, Map<String, String> objects, List<Atom> facts, String goal) {
    public Blueprint {
        objects = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(objects));
        facts = List.copyOf(facts);
    }

    /**
     * Reads a problem.
     *
     * @throws AlfworldException if the text is no problem; the message says where
     */
    public static Blueprint parse(String text) {
        String name = "";
        String domain = "";
        Map<String, String> objects = new LinkedHashMap<>();
        List<Atom> facts = new ArrayList<>();
        String goal = "";
        for (Expression part : Expression.read(text).rest()) {
            if (!(part instanceof Expression.Group section)) {
                throw new AlfworldException("the problem has a stray word '" + part + "'");
            }
            switch (section.head().toLowerCase(Locale.ROOT)) {
                case "problem" -> name = only(section);
                case ":domain" -> domain = only(section);
                case ":objects" -> readObjects(section.rest(), objects);
                case ":init" -> section.rest().forEach(fact -> facts.add(atom(fact)));
                case ":goal" -> goal = only(section);
                default ->
                        throw new AlfworldException(
                                "the problem has an unknown section '" + section.head() + "'");
            }
        }
        return new Blueprint(name, domain, objects, facts, goal);
    }

    private static String only(Expression.Group section) {
        if (section.rest().size() != 1) {
            throw new AlfworldException(
                    "section '" + section.head() + "' of the problem needs exactly one entry");
        }
        return section.rest().get(0).toString();
    }

    private static void readObjects(List<Expression> words, Map<String, String> objects) {
        List<String> untyped = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i).toString();
            if (word.equals("-") && i + 1 < words.size()) {
                String type = words.get(++i).toString();
                untyped.forEach(id -> objects.put(id, type));
                untyped.clear();
            } else {
                untyped.add(word);
            }
        }
        if (!untyped.isEmpty()) {
            throw new AlfworldException("objects " + untyped + " of the problem have no type");
        }
    }

    private static Atom atom(Expression fact) {
        if (fact instanceof Expression.Group group && !group.head().isEmpty()) {
            return new Atom(group.head(), group.rest().stream().map(Expression::toString).toList());
        }
        throw new AlfworldException("'" + fact + "' in :init of the problem is no fact");
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
