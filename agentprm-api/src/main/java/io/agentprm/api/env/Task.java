package io.agentprm.api.env;

import io.agentprm.api.Stable;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One task of a suite. Its id is stable: the same over runs, machines and listing orders; splits
 * and seeds are derived from it. Equal if id and split are.
 */
@Stable(since = "1.0")
public final class Task {
    private final String id;
    private final String split;
    private final String category;
    private final SortedMap<String, String> attributes;

    private Task(String id, String split, String category, Map<String, String> attributes) {
        this.id = Objects.requireNonNull(id, "id");
        this.split = Objects.requireNonNull(split, "split");
        this.category = Objects.requireNonNull(category, "category");
        this.attributes = new TreeMap<>(attributes);
    }

    /**
     * Makes a task.
     *
     * @param id stable id, unique in the suite
     * @param split name of the split that it belongs to
     * @param category kind of task by which results are broken down, such as {@code
     *     pick_and_place_simple}
     */
    public static Task of(String id, String split, String category) {
        return new Task(id, split, category, Map.of());
    }

    /**
     * The same task with one more attribute (anything that the environment wants to find again).
     */
    public Task with(String attribute, String value) {
        Map<String, String> more = new TreeMap<>(attributes);
        more.put(attribute, value);
        return new Task(id, split, category, more);
    }

    public String id() {
        return id;
    }

    public String split() {
        return split;
    }

    public String category() {
        return category;
    }

    /** Sorted by name, unmodifiable. */
    public Map<String, String> attributes() {
        return java.util.Collections.unmodifiableSortedMap(attributes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Task task && id.equals(task.id) && split.equals(task.split);
    }

    @Override
    public int hashCode() {
        return 31 * id.hashCode() + split.hashCode();
    }

    @Override
    public String toString() {
        return split + "/" + id;
    }
}
