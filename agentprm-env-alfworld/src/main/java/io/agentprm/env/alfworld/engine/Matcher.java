package io.agentprm.env.alfworld.engine;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/** Finds the entities for which clauses hold. */
final class Matcher {
    private final int[][] membersOfSlot;
    private final boolean[][] fitsSlot;

    /**
     * @param membersOfSlot entities that may stand in each slot, ascending
     * @param entities number of entities
     */
    Matcher(int[][] membersOfSlot, int entities) {
        this.membersOfSlot = membersOfSlot;
        this.fitsSlot = new boolean[membersOfSlot.length][entities];
        for (int slot = 0; slot < membersOfSlot.length; slot++) {
            for (int entity : membersOfSlot[slot]) {
                fitsSlot[slot][entity] = true;
            }
        }
    }

    /** A binding with every slot empty. */
    int[] empty() {
        int[] binding = new int[membersOfSlot.length];
        Arrays.fill(binding, Slots.UNBOUND);
        return binding;
    }

    boolean anyHolds(List<Clause> clauses, FactStore facts, int[] binding) {
        for (Clause clause : clauses) {
            if (search(clause, facts, binding, solution -> true)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Visits every way in which the clause holds; slots that are filled stay as they are.
     *
     * @param visitor sees the filled binding, which is reused; returns true to stop
     * @return true if the visitor stopped the search
     */
    boolean search(Clause clause, FactStore facts, int[] binding, Predicate<int[]> visitor) {
        return search(clause, facts, binding, new boolean[clause.required().size()], visitor);
    }

    private boolean search(
            Clause clause,
            FactStore facts,
            int[] binding,
            boolean[] done,
            Predicate<int[]> visitor) {
        int best = -1;
        int[] pattern = {};
        Collection<int[]> candidates = List.of();
        for (int i = 0; i < done.length; i++) {
            if (!done[i]) {
                Clause.SlotAtom atom = clause.required().get(i);
                int[] ground = atom.ground(binding);
                Collection<int[]> found = facts.table(atom.predicate()).candidates(ground);
                if (best < 0 || found.size() < candidates.size()) {
                    best = i;
                    pattern = ground;
                    candidates = found;
                }
                if (found.isEmpty()) {
                    return false;
                }
            }
        }
        if (best < 0) {
            return fillRest(clause, facts, binding, visitor);
        }
        int[] terms = clause.required().get(best).arguments();
        done[best] = true;
        boolean stopped = false;
        for (int[] fact : candidates) {
            if (bind(terms, pattern, fact, binding)
                    && search(clause, facts, binding, done, visitor)) {
                stopped = true;
            }
            release(terms, pattern, binding);
            if (stopped) {
                break;
            }
        }
        done[best] = false;
        return stopped;
    }

    private boolean bind(int[] terms, int[] pattern, int[] fact, int[] binding) {
        for (int i = 0; i < fact.length; i++) {
            if (pattern[i] >= 0) {
                if (pattern[i] != fact[i]) {
                    return false;
                }
            } else if (binding[terms[i]] >= 0) { // the same variable earlier in this atom
                if (binding[terms[i]] != fact[i]) {
                    return false;
                }
            } else if (fitsSlot[terms[i]][fact[i]]) {
                binding[terms[i]] = fact[i];
            } else {
                return false;
            }
        }
        return true;
    }

    private static void release(int[] terms, int[] pattern, int[] binding) {
        for (int i = 0; i < pattern.length; i++) {
            if (pattern[i] < 0) {
                binding[terms[i]] = Slots.UNBOUND;
            }
        }
    }

    private boolean fillRest(
            Clause clause, FactStore facts, int[] binding, Predicate<int[]> visitor) {
        for (int slot : clause.slots()) {
            if (binding[slot] < 0) {
                for (int entity : membersOfSlot[slot]) {
                    binding[slot] = entity;
                    if (fillRest(clause, facts, binding, visitor)) {
                        binding[slot] = Slots.UNBOUND;
                        return true;
                    }
                }
                binding[slot] = Slots.UNBOUND;
                return false;
            }
        }
        return restHolds(clause, facts, binding) && visitor.test(binding);
    }

    private boolean restHolds(Clause clause, FactStore facts, int[] binding) {
        for (Clause.SlotAtom atom : clause.forbidden()) {
            if (facts.table(atom.predicate()).contains(atom.ground(binding))) {
                return false;
            }
        }
        for (Clause.Equality equality : clause.equalities()) {
            boolean equal =
                    Slots.value(equality.left(), binding) == Slots.value(equality.right(), binding);
            if (equal != equality.equal()) {
                return false;
            }
        }
        for (List<Clause> excluded : clause.none()) {
            if (anyHolds(excluded, facts, binding)) {
                return false;
            }
        }
        return true;
    }
}
