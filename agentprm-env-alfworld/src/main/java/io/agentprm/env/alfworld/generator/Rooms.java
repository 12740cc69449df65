package io.agentprm.env.alfworld.generator;

import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.game.TaskType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What is known about rooms: the parsed {@code rooms.txt}, whose comments say what each line means
 * and where the figures come from. Classes are in the spelling of the problem ({@code CellPhone}).
 */
final class Rooms {
    private static final String FILE = "rooms.txt";

    private final Map<RoomKind, Weighted<TaskType>> tasks = new EnumMap<>(RoomKind.class);
    private final Map<RoomKind, Map<String, Frequency>> receptacles = new EnumMap<>(RoomKind.class);
    private final Map<RoomKind, Map<String, Frequency>> things = new EnumMap<>(RoomKind.class);
    private final Map<RoomKind, Map<String, Weighted<String>>> placements =
            new EnumMap<>(RoomKind.class);
    private final Map<String, Double> openable = new LinkedHashMap<>();
    private final Map<String, Set<String>> properties = new LinkedHashMap<>();
    private final Map<String, Set<String>> containable = new LinkedHashMap<>();
    private final Map<TaskType, List<Weighted.Entry<GoalPair>>> goals =
            new EnumMap<>(TaskType.class);
    private final List<Weighted.Entry<List<String>>> shared = new ArrayList<>();

    private Rooms() {}

    /** Reads the resource. */
    static Rooms load() {
        Rooms rooms = new Rooms();
        int number = 0;
        for (String line : Texts.read(FILE).split("\n")) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            try {
                rooms.read(line.split(" "));
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                throw new AlfworldException(
                        FILE + " line " + number + " cannot be read: " + line, e);
            }
        }
        return rooms;
    }

    private void read(String[] word) {
        switch (word[0]) {
            case "task" ->
                    tasks.put(
                            RoomKind.of(word[1]),
                            counts(word, 2, name -> TaskType.valueOf(upper(name))));
            case "receptacle" -> of(receptacles, word[1]).put(word[2], frequency(word));
            case "openable" -> openable.put(word[1], Double.valueOf(word[2]));
            case "shared" ->
                    shared.add(
                            new Weighted.Entry<>(
                                    List.of(word).subList(2, word.length),
                                    Double.parseDouble(word[1])));
            case "thing" -> {
                of(things, word[1]).put(word[2], frequency(word));
                of(placements, word[1]).put(word[2], counts(word, 6, name -> name));
            }
            case "property" -> properties.put(word[1], rest(word));
            case "contains" -> containable.put(word[1], rest(word));
            case "goal" ->
                    goals.computeIfAbsent(
                                    TaskType.valueOf(upper(word[1])), type -> new ArrayList<>())
                            .addAll(
                                    counts(word, 3, place -> new GoalPair(word[2], place))
                                            .entries());
            default -> throw new IllegalArgumentException("unknown word " + word[0]);
        }
    }

    private static <T> Map<String, T> of(Map<RoomKind, Map<String, T>> rooms, String label) {
        return rooms.computeIfAbsent(RoomKind.of(label), kind -> new LinkedHashMap<>());
    }

    private static String upper(String name) {
        return name.toUpperCase(Locale.ROOT);
    }

    private static Frequency frequency(String[] word) {
        return new Frequency(
                Double.parseDouble(word[3]),
                Double.parseDouble(word[4]),
                Integer.parseInt(word[5]));
    }

    private static Set<String> rest(String[] word) {
        return new LinkedHashSet<>(Arrays.asList(word).subList(2, word.length));
    }

    private interface Naming<T> {
        T of(String name);
    }

    private static <T> Weighted<T> counts(String[] word, int first, Naming<T> naming) {
        List<Weighted.Entry<T>> entries = new ArrayList<>();
        for (int i = first; i < word.length; i++) {
            int colon = word[i].indexOf(':');
            entries.add(
                    new Weighted.Entry<>(
                            naming.of(word[i].substring(0, colon)),
                            Double.parseDouble(word[i].substring(colon + 1))));
        }
        return new Weighted<>(entries);
    }

    /** Task types of a kind of room with their number of games. */
    Weighted<TaskType> tasks(RoomKind kind) {
        return tasks.get(kind);
    }

    Map<String, Frequency> receptacles(RoomKind kind) {
        return receptacles.get(kind);
    }

    Map<String, Frequency> things(RoomKind kind) {
        return things.get(kind);
    }

    /** Receptacle classes in which things of the class lie in that kind of room. */
    Weighted<String> placements(RoomKind kind, String thing) {
        return placements.get(kind).getOrDefault(thing, new Weighted<>(List.of()));
    }

    /** Share of instances of the receptacle class that open; 0 for most classes. */
    double openable(String receptacle) {
        return openable.getOrDefault(receptacle, 0.0);
    }

    /** Predicates of one argument that can hold of things at the start, with their classes. */
    Map<String, Set<String>> properties() {
        return properties;
    }

    boolean canContain(String receptacle, String thing) {
        return containable.getOrDefault(receptacle, Set.of()).contains(thing);
    }

    /**
     * Whether things of the class can start there: what can be picked up can be put back, so that
     * no action makes a game unwinnable.
     */
    boolean mayLie(String thing, String receptacle) {
        return !properties.get("pickupable").contains(thing) || canContain(receptacle, thing);
    }

    Weighted<GoalPair> goals(TaskType type) {
        return new Weighted<>(goals.get(type));
    }

    /** Groups of receptacle classes that are reached from one place. */
    Weighted<List<String>> shared() {
        return new Weighted<>(shared);
    }
}
