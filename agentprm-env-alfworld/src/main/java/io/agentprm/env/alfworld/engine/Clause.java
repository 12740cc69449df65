package io.agentprm.env.alfworld.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * One way in which a condition can hold: all of its literals, for some entities in its slots.
 *
 * @param slots slots that must be filled
 * @param required atoms that must be true
 * @param forbidden atoms that must be false
 * @param equalities pairs that must be equal or different
 * @param none groups of clauses none of which may hold
 */
record Clause(
        Set<Integer> slots,
        List<SlotAtom> required,
        List<SlotAtom> forbidden,
        List<Equality> equalities,
        List<List<Clause>> none) {
    static final Clause TRUE = new Clause(Set.of(), List.of(), List.of(), List.of(), List.of());

    /** An atom on slots (0 and up) and constants (see {@link Slots#constant}). */
    record SlotAtom(String predicate, int[] arguments) {
        /** Arguments under a binding; negative where a slot is not filled yet. */
        int[] ground(int[] binding) {
            int[] ground = new int[arguments.length];
            for (int i = 0; i < ground.length; i++) {
                ground[i] = Slots.value(arguments[i], binding);
            }
            return ground;
        }
    }

    /** Two terms that must be equal, or must not. */
    record Equality(int left, int right, boolean equal) {}

    /** Holds if both do. */
    Clause and(Clause other) {
        Set<Integer> all = new TreeSet<>(slots);
        all.addAll(other.slots);
        return new Clause(
                all,
                concat(required, other.required),
                concat(forbidden, other.forbidden),
                concat(equalities, other.equalities),
                concat(none, other.none));
    }

    private static <T> List<T> concat(List<T> left, List<T> right) {
        if (left.isEmpty()) {
            return right;
        }
        if (right.isEmpty()) {
            return left;
        }
        List<T> both = new ArrayList<>(left);
        both.addAll(right);
        return List.copyOf(both);
    }
}
