package io.agentprm.env.alfworld.household;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * Displayed names. Ids are numbered per class from the top: in sorted order the first of n cabinets
 * is {@code cabinet n}, the last {@code cabinet 1}.
 */
public final class Names {
    private static final String SEPARATOR = "_bar_";

    private final Map<String, String> byId;

    private Names(Map<String, String> byId) {
        this.byId = byId;
    }

    /** Names of all ids that occur in the facts. Ids are looked up in lower case. */
    public static Names of(Collection<Atom> facts) {
        TreeSet<String> ids = new TreeSet<>();
        for (Atom fact : facts) {
            fact.arguments().forEach(id -> ids.add(id.toLowerCase(Locale.ROOT)));
        }
        Map<String, List<String>> classes = new HashMap<>();
        for (String id : ids) {
            classes.computeIfAbsent(className(id), name -> new ArrayList<>()).add(id);
        }
        Map<String, String> byId = new HashMap<>();
        classes.forEach(
                (name, members) -> {
                    for (int i = 0; i < members.size(); i++) {
                        byId.put(members.get(i), name + " " + (members.size() - i));
                    }
                });
        return new Names(byId);
    }

    /** Displayed class of an id in lower case, such as {@code sinkbasin}. */
    public static String className(String anyId) {
        String id = anyId.toLowerCase(Locale.ROOT);
        int end = id.indexOf(SEPARATOR);
        String name = end < 0 ? id : id.substring(0, end);
        return end >= 0 && id.contains("basin") ? name + "basin" : name;
    }

    /** Displayed name of an id that occurs in the facts. */
    public String name(String id) {
        String name = byId.get(id);
        if (name == null) {
            throw new IllegalArgumentException("no fact mentions " + id);
        }
        return name;
    }
}
