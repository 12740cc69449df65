package io.agentprm.env.alfworld.engine;

import io.agentprm.env.alfworld.pddl.Problem;
import java.util.HashMap;
import java.util.Map;

/**
 * Displayed names. Ids of one class are numbered from the top: the first of n in sorted order gets
 * n, the last 1. Ids without a class keep their text and get a space after it.
 */
public final class Names {
    private static final String SEPARATOR = "_bar_";
    private static final String BASIN = "basin";

    private Names() {}

    /** Names by number of entity; entities that no fact mentions are named by their id. */
    public static String[] of(Problem problem) {
        String[] names = new String[problem.size()];
        int[] mentioned = problem.mentioned();
        Map<String, Integer> left = new HashMap<>();
        for (int entity : mentioned) {
            left.merge(className(problem.id(entity)), 1, Integer::sum);
        }
        for (int i = 0; i < names.length; i++) {
            names[i] = problem.id(i);
        }
        for (int entity : mentioned) {
            String id = problem.id(entity);
            String name = className(id);
            int number = left.merge(name, -1, Integer::sum) + 1;
            names[entity] = id.contains(SEPARATOR) ? name + " " + number : name + " ";
        }
        return names;
    }

    private static String className(String id) {
        int end = id.indexOf(SEPARATOR);
        if (end < 0) {
            return id;
        }
        String name = id.substring(0, end);
        return id.contains(BASIN) ? name + BASIN : name;
    }
}
