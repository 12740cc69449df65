package io.agentprm.env.alfworld.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A goal on bits. */
final class CompiledGoal {
    private static final Set<String> FIXED =
            Set.of(
                    "pickupable",
                    "cleanable",
                    "heatable",
                    "coolable",
                    "toggleable",
                    "sliceable",
                    "isreceptacleobject");
    private static final Set<String> CHANGING =
            Set.of("isclean", "ishot", "iscool", "issliced", "istoggled", "ison");

    /** Objects of the right kind that have these changing properties. */
    private record Kind(long[] objects, int[] statuses) {
        boolean matches(long[] state, int object) {
            if (!Bits.get(objects, 0, object)) {
                return false;
            }
            for (int status : statuses) {
                if (!Bits.get(state, status, object)) {
                    return false;
                }
            }
            return true;
        }

        long matching(long[] state, int from, int word) {
            long found = state[from + word] & objects[word];
            for (int status : statuses) {
                found &= state[status + word];
            }
            return found;
        }
    }

    private final CompiledWorld world;
    private final Kind wanted;
    private final int count;
    private final List<Integer> places = new ArrayList<>();
    private final Kind lamp;

    CompiledGoal(
            CompiledWorld world,
            Goals.Goal goal,
            Map<Integer, Set<Integer>> objectTypes,
            Map<Integer, Set<Integer>> receptacleTypes) {
        this.world = world;
        this.count = goal.count();
        this.wanted = kind(goal.object(), objectTypes);
        this.lamp = kind(goal.lamp().orElse(goal.object()), objectTypes);
        for (int r = 0; r < world.receptacleEntity.length; r++) {
            if (hasAll(receptacleTypes.getOrDefault(r, Set.of()), goal.receptacleTypes())) {
                places.add(r);
            }
        }
    }

    static boolean knows(Goals.Goal goal) {
        return knows(goal.object()) && goal.lamp().map(CompiledGoal::knows).orElse(true);
    }

    private static boolean knows(Goals.Wanted wanted) {
        return wanted.properties().stream()
                .allMatch(name -> FIXED.contains(name) || CHANGING.contains(name));
    }

    /**
     * True if the goal holds.
     *
     * @param held object in hand, negative if none
     */
    boolean holds(long[] state, int location, int held) {
        if (count == 0) {
            return held >= 0 && wanted.matches(state, held) && lampAt(state, location);
        }
        for (int i = 0; i < places.size(); i++) {
            int contents = world.layout.contents(places.get(i));
            int found = 0;
            for (int word = 0; word < world.layout.words; word++) {
                found += Long.bitCount(wanted.matching(state, contents, word));
            }
            if (found >= count) {
                return true;
            }
        }
        return false;
    }

    private boolean lampAt(long[] state, int location) {
        for (int receptacle : world.atById[location]) {
            int contents = world.layout.contents(receptacle);
            for (int word = 0; word < world.layout.words; word++) {
                if (lamp.matching(state, contents, word) != 0) {
                    return true;
                }
            }
        }
        return false;
    }

    private Kind kind(Goals.Wanted description, Map<Integer, Set<Integer>> objectTypes) {
        long[] objects = new long[world.layout.words];
        for (int o = 0; o < world.objectEntity.length; o++) {
            boolean fits = hasAll(objectTypes.getOrDefault(o, Set.of()), description.types());
            for (String name : description.properties()) {
                fits &= CHANGING.contains(name) || Bits.get(world.with(name), 0, o);
            }
            if (fits) {
                Bits.set(objects, 0, o);
            }
        }
        int[] statuses =
                description.properties().stream()
                        .filter(CHANGING::contains)
                        .mapToInt(this::status)
                        .toArray();
        return new Kind(objects, statuses);
    }

    private int status(String name) {
        return switch (name) {
            case "isclean" -> world.layout.clean;
            case "ishot" -> world.layout.hot;
            case "iscool" -> world.layout.cool;
            case "issliced" -> world.layout.sliced;
            case "istoggled" -> world.layout.toggled;
            default -> world.layout.on;
        };
    }

    private boolean hasAll(Set<Integer> types, Set<String> ids) {
        return ids.stream().allMatch(id -> types.contains(world.problem.entity(id)));
    }
}
