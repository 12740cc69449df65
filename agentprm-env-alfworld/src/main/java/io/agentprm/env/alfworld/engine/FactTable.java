package io.agentprm.env.alfworld.engine;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Facts of one predicate, sorted by their arguments, with an index by each argument. */
final class FactTable {
    private final TreeSet<int[]> facts = new TreeSet<>(Arrays::compare);
    private final Map<Long, TreeSet<int[]>> byArgument = new HashMap<>();

    FactTable() {}

    FactTable(FactTable other) {
        other.facts.forEach(this::add);
    }

    void add(int[] arguments) {
        if (facts.add(arguments)) {
            for (int i = 0; i < arguments.length; i++) {
                byArgument
                        .computeIfAbsent(key(i, arguments[i]), k -> new TreeSet<>(Arrays::compare))
                        .add(arguments);
            }
        }
    }

    void remove(int[] arguments) {
        if (facts.remove(arguments)) {
            for (int i = 0; i < arguments.length; i++) {
                byArgument.get(key(i, arguments[i])).remove(arguments);
            }
        }
    }

    boolean contains(int[] arguments) {
        return facts.contains(arguments);
    }

    Collection<int[]> all() {
        return facts;
    }

    /**
     * Facts among which are all that match, sorted.
     *
     * @param pattern negative where any argument will do
     */
    Collection<int[]> candidates(int[] pattern) {
        Collection<int[]> best = facts;
        for (int i = 0; i < pattern.length; i++) {
            if (pattern[i] >= 0) {
                Collection<int[]> matching = byArgument.get(key(i, pattern[i]));
                if (matching == null) {
                    return List.of();
                }
                if (matching.size() < best.size()) {
                    best = matching;
                }
            }
        }
        return best;
    }

    private static long key(int position, int entity) {
        return ((long) position << 32) | entity;
    }
}
