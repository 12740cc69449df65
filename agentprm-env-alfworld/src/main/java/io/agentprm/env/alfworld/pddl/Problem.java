package io.agentprm.env.alfworld.pddl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One game's objects, initial facts and goal, kept small: thousands are held at a time. Ids are in
 * lower case; entities are numbered in the order of their ids.
 */
public final class Problem {
    private final String[] ids;
    private final String[] types;
    private final String[] predicates;
    private final int[] facts;
    private final Formula goal;

    Problem(String[] ids, String[] types, String[] predicates, int[] facts, Formula goal) {
        this.ids = ids;
        this.types = types;
        this.predicates = predicates;
        this.facts = facts;
        this.goal = goal;
    }

    /** Receives facts; the array of arguments is the receiver's to keep. */
    @FunctionalInterface
    public interface FactVisitor {
        /**
         * One fact.
         *
         * @param arguments numbers of entities
         */
        void visit(String predicate, int[] arguments);
    }

    /** Number of entities. */
    public int size() {
        return ids.length;
    }

    public String id(int entity) {
        return ids[entity];
    }

    public String type(int entity) {
        return types[entity];
    }

    /** Number of the entity with that id, negative if there is none. */
    public int entity(String id) {
        return Arrays.binarySearch(ids, id);
    }

    public Formula goal() {
        return goal;
    }

    /** All initial facts in the order of the text, repetitions included. */
    public void forEachFact(FactVisitor visitor) {
        int at = 0;
        while (at < facts.length) {
            String predicate = predicates[facts[at]];
            int arity = facts[at + 1];
            visitor.visit(predicate, Arrays.copyOfRange(facts, at + 2, at + 2 + arity));
            at += 2 + arity;
        }
    }

    /** Numbers of all entities that occur in an initial fact, ascending. */
    public int[] mentioned() {
        boolean[] seen = new boolean[ids.length];
        forEachFact(
                (predicate, arguments) -> {
                    for (int argument : arguments) {
                        seen[argument] = true;
                    }
                });
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < seen.length; i++) {
            if (seen[i]) {
                numbers.add(i);
            }
        }
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }
}
