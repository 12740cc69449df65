package io.agentprm.core.run;

import io.agentprm.core.config.ConfigNode;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which keys differ between two configurations. */
final class Differences {
    private static final String ABSENT = "absent";

    private Differences() {}

    /** One line for each key that differs: the key, its value in the first and in the second. */
    static List<String> between(ConfigNode first, ConfigNode second) {
        SortedMap<String, String> before = new TreeMap<>();
        SortedMap<String, String> now = new TreeMap<>();
        flatten(first, "", before);
        flatten(second, "", now);
        SortedSet<String> keys = new TreeSet<>(before.keySet());
        keys.addAll(now.keySet());
        List<String> lines = new ArrayList<>();
        for (String key : keys) {
            String old = before.getOrDefault(key, ABSENT);
            String current = now.getOrDefault(key, ABSENT);
            if (!old.equals(current)) {
                lines.add(key + ": " + old + " there, " + current + " now");
            }
        }
        return lines;
    }

    private static void flatten(ConfigNode node, String path, SortedMap<String, String> values) {
        if (node instanceof ConfigNode.Entries entries) {
            entries.values()
                    .forEach(
                            (key, entry) ->
                                    flatten(
                                            entry.value(),
                                            path.isEmpty() ? key : path + "." + key,
                                            values));
        } else if (node instanceof ConfigNode.Items items) {
            for (int i = 0; i < items.values().size(); i++) {
                flatten(items.values().get(i), path + "[" + i + "]", values);
            }
        } else if (node instanceof ConfigNode.Scalar scalar
                && scalar.kind() != ConfigNode.Scalar.Kind.NOTHING) {
            values.put(path, "'" + scalar.text() + "'");
        }
    }
}
