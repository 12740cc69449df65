package io.agentprm.env.alfworld.expert;

import io.agentprm.env.alfworld.household.Treatment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What somebody who read the observations so far knows about the room. It follows the texts alone,
 * so it is right whoever chose the actions.
 */
final class Memory {
    private static final String NAME = "([a-z]+ \\d+)";
    private static final Pattern ITEM = Pattern.compile("\\ba " + NAME);
    private static final Pattern ROOM =
            Pattern.compile("Looking quickly around you, you see ([^.]*)\\.");
    private static final Pattern INSIDE =
            Pattern.compile(
                    "(?:On the "
                            + NAME
                            + ", you see|The "
                            + NAME
                            + " is open\\. In it, you see)"
                            + " ([^.]*)\\.");
    private static final Pattern CLOSED = Pattern.compile("The " + NAME + " is closed\\.");
    private static final Pattern CLOSE = Pattern.compile("You close the " + NAME + "\\.");
    private static final Pattern TAKE =
            Pattern.compile("You pick up the " + NAME + " from the " + NAME + "\\.");
    private static final Pattern MOVE =
            Pattern.compile("You (?:move|put) the " + NAME + " (?:to|in/on) the " + NAME + "\\.");
    private static final Pattern TREAT =
            Pattern.compile("You (clean|heat|cool) the " + NAME + " using the " + NAME + "\\.");

    private final Set<String> receptacles = new LinkedHashSet<>();
    private final Map<String, Set<String>> contents = new LinkedHashMap<>();
    private final Map<String, Set<Treatment>> treated = new HashMap<>();
    private final Set<String> closed = new HashSet<>();
    private Optional<String> held = Optional.empty();

    /** What follows from these observations, the first one of the episode included. */
    static Memory of(List<String> observations) {
        Memory memory = new Memory();
        observations.forEach(memory::read);
        return memory;
    }

    private void read(String text) {
        Matcher room = ROOM.matcher(text);
        if (room.find() && receptacles.isEmpty()) {
            receptacles.addAll(items(room.group(1)));
        }
        Matcher inside = INSIDE.matcher(text);
        while (inside.find()) {
            String name = inside.group(1) == null ? inside.group(2) : inside.group(1);
            contents.put(name, new LinkedHashSet<>(items(inside.group(3))));
            closed.remove(name);
        }
        Matcher shut = CLOSED.matcher(text);
        while (shut.find()) {
            closed.add(shut.group(1));
        }
        readChange(text);
    }

    private void readChange(String text) {
        Matcher close = CLOSE.matcher(text);
        if (close.find()) {
            closed.add(close.group(1));
        }
        Matcher take = TAKE.matcher(text);
        if (take.find()) {
            held = Optional.of(take.group(1));
            contents.values().forEach(things -> things.remove(take.group(1)));
        }
        Matcher move = MOVE.matcher(text);
        if (move.find()) {
            held = Optional.empty();
            contents.computeIfAbsent(move.group(2), name -> new LinkedHashSet<>())
                    .add(move.group(1));
        }
        Matcher treat = TREAT.matcher(text);
        if (treat.find()) {
            Set<Treatment> sofar =
                    treated.computeIfAbsent(
                            treat.group(2), name -> EnumSet.noneOf(Treatment.class));
            switch (treat.group(1)) {
                case "clean" -> sofar.add(Treatment.CLEAN);
                case "heat" -> {
                    sofar.add(Treatment.HEAT);
                    sofar.remove(Treatment.COOL);
                }
                default -> {
                    sofar.add(Treatment.COOL);
                    sofar.remove(Treatment.HEAT);
                }
            }
        }
    }

    private static List<String> items(String list) {
        List<String> names = new ArrayList<>();
        Matcher item = ITEM.matcher(list);
        while (item.find()) {
            names.add(item.group(1));
        }
        return names;
    }

    /** Class of a displayed name: {@code drawer} of {@code drawer 3}. */
    static String classOf(String name) {
        return name.substring(0, name.indexOf(' '));
    }

    /** Number of a displayed name: 3 of {@code drawer 3}. */
    static int numberOf(String name) {
        return Integer.parseInt(name.substring(name.indexOf(' ') + 1));
    }

    /** All receptacles of the room. */
    Set<String> receptacles() {
        return receptacles;
    }

    List<String> receptacles(String type) {
        return receptacles.stream().filter(name -> classOf(name).equals(type)).toList();
    }

    /** Whether its contents have been seen. */
    boolean lookedInto(String receptacle) {
        return contents.containsKey(receptacle);
    }

    boolean knownClosed(String receptacle) {
        return closed.contains(receptacle);
    }

    /** Number of receptacles whose contents have been seen. */
    int lookedInto() {
        return contents.size();
    }

    /** Things of a class that are known to be in a receptacle. */
    List<String> in(String receptacle, String type) {
        return contents.getOrDefault(receptacle, Set.of()).stream()
                .filter(name -> classOf(name).equals(type))
                .toList();
    }

    boolean treated(String thing, Treatment treatment) {
        return treated.getOrDefault(thing, Set.of()).contains(treatment);
    }

    Optional<String> held() {
        return held;
    }
}
