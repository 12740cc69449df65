package io.agentprm.env.alfworld.generator;

import io.agentprm.env.alfworld.household.Furniture;
import io.agentprm.env.alfworld.household.Household;
import io.agentprm.env.alfworld.household.Thing;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * How rooms are furnished: the distinct layouts of given games by kind of room, which receptacles
 * open, and what they can contain. Classes are without the word "type", in lower case. Immutable.
 */
final class Layouts {
    private record Openings(int openable, int all) {
        Openings plus(Furniture piece) {
            return new Openings(openable + (piece.openable() ? 1 : 0), all + 1);
        }
    }

    private final Map<RoomKind, List<Map<String, Integer>>> layouts = new EnumMap<>(RoomKind.class);
    private final Map<String, Openings> openings = new TreeMap<>();
    private final Map<String, Set<String>> contents = new TreeMap<>();

    private Layouts() {}

    static Layouts of(Iterable<Household> games) {
        Layouts known = new Layouts();
        Map<RoomKind, Set<Map<String, Integer>>> distinct = new EnumMap<>(RoomKind.class);
        for (Household game : games) {
            distinct.computeIfAbsent(kind(game), kind -> new LinkedHashSet<>()).add(count(game));
            known.add(game);
        }
        distinct.forEach((kind, found) -> known.layouts.put(kind, List.copyOf(found)));
        return known;
    }

    private void add(Household game) {
        Set<String> things = new TreeSet<>();
        for (Thing thing : game.things()) {
            things.add(thing.type());
        }
        for (Furniture piece : game.furniture()) {
            openings.merge(
                    piece.type(),
                    new Openings(0, 0).plus(piece),
                    (before, one) -> before.plus(piece));
        }
        for (String type : count(game).keySet()) {
            Set<String> known = contents.computeIfAbsent(type, key -> new TreeSet<>());
            for (String thing : things) {
                if (game.canContain(type, thing)) {
                    known.add(thing);
                }
            }
        }
    }

    /** Number of receptacles of each class in a room. */
    static Map<String, Integer> count(Household room) {
        Map<String, Integer> counts = new TreeMap<>();
        room.furniture().forEach(piece -> counts.merge(piece.type(), 1, Integer::sum));
        return counts;
    }

    /** Kind of a room, by the furniture that only one kind has. */
    static RoomKind kind(Household room) {
        Map<String, Integer> counts = count(room);
        if (counts.containsKey("fridge") || counts.containsKey("microwave")) {
            return RoomKind.KITCHEN;
        }
        if (counts.containsKey("toilet")) {
            return RoomKind.BATHROOM;
        }
        return counts.containsKey("bed") ? RoomKind.BEDROOM : RoomKind.LIVINGROOM;
    }

    /** A new layout: of each class as many as in some room of the kind, drawn for each anew. */
    Map<String, Integer> draw(RoomKind kind, RandomGenerator draws) {
        List<Map<String, Integer>> known = layouts.getOrDefault(kind, List.of());
        Set<String> types = new TreeSet<>();
        known.forEach(layout -> types.addAll(layout.keySet()));
        Map<String, Integer> drawn = new TreeMap<>();
        for (String type : types) {
            drawn.put(type, known.get(draws.nextInt(known.size())).getOrDefault(type, 0));
        }
        return drawn;
    }

    /** Whether a new receptacle of the class opens, as often as those that are known. */
    boolean opens(String type, RandomGenerator draws) {
        Openings known = openings.getOrDefault(type, new Openings(0, 1));
        return draws.nextInt(known.all()) < known.openable();
    }

    /** Classes of things that a receptacle of the class can contain. */
    List<String> contents(String type) {
        return new ArrayList<>(contents.getOrDefault(type, Set.of()));
    }
}
