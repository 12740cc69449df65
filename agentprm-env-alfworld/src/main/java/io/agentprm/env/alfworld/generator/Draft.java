package io.agentprm.env.alfworld.generator;

import io.agentprm.env.alfworld.game.TaskType;
import io.agentprm.env.alfworld.household.Atom;
import io.agentprm.env.alfworld.household.Goal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A game before it is written: a furnished scene, what lies where, and what is wanted.
 *
 * @param start id of the place where the agent starts, away from all furniture
 */
record Draft(Scene scene, List<Item> items, TaskType type, GoalPair pair, String start) {
    private static final String AGENT = "agent1";

    /** Classes that the domain names, declared in every problem. */
    private static final List<String> NAMED_RECEPTACLES =
            List.of("SinkBasin", "Microwave", "Fridge");

    private static final List<String> NAMED_THINGS = List.of("Knife", "ButterKnife");

    Draft {
        items = List.copyOf(items);
    }

    Goal goal() {
        return new Goal(type, pair.object(), pair.place());
    }

    /** Name of the folder that holds games of this goal in this scene. */
    String folder() {
        return String.join(
                "-",
                type.label(),
                pair.object(),
                "None",
                pair.place(),
                Integer.toString(scene.number()));
    }

    /** What is true at the start. */
    List<Atom> facts(Rooms rooms) {
        List<Atom> facts = new ArrayList<>();
        List<Piece> pieces = scene.pieces();
        for (Piece piece : pieces) {
            facts.add(Atom.of("receptacleType", piece.id(), piece.type() + "Type"));
        }
        for (Item item : items) {
            facts.add(Atom.of("objectType", item.id(), item.type() + "Type"));
        }
        for (String receptacle : receptacleTypes()) {
            for (String thing : thingTypes()) {
                if (rooms.canContain(receptacle, thing)) {
                    facts.add(Atom.of("canContain", receptacle + "Type", thing + "Type"));
                }
            }
        }
        rooms.properties()
                .forEach(
                        (property, types) -> {
                            for (Item item : items) {
                                if (types.contains(item.type())) {
                                    facts.add(Atom.of(property, item.id()));
                                }
                            }
                        });
        for (Piece piece : pieces) {
            if (piece.openable()) {
                facts.add(Atom.of("openable", piece.id()));
            }
        }
        for (Item item : items) {
            if (item.type().equals(pair.object()) && item.place().type().equals("Fridge")) {
                facts.add(Atom.of("isCool", item.id()));
            }
        }
        facts.add(Atom.of("atLocation", AGENT, start));
        for (Piece piece : pieces) {
            facts.add(Atom.of("receptacleAtLocation", piece.id(), piece.location()));
        }
        for (Item item : items) {
            facts.add(Atom.of("inReceptacle", item.id(), item.place().id()));
            facts.add(Atom.of("objectAtLocation", item.id(), item.place().location()));
        }
        return facts;
    }

    /** Everything that the problem declares, with types. */
    Map<String, String> objects() {
        Map<String, String> objects = new LinkedHashMap<>();
        objects.put(AGENT, "agent");
        Set<String> things = new LinkedHashSet<>(NAMED_THINGS);
        things.addAll(thingTypes());
        things.forEach(type -> objects.put(type + "Type", "otype"));
        Set<String> receptacles = new LinkedHashSet<>(NAMED_RECEPTACLES);
        receptacles.addAll(receptacleTypes());
        receptacles.forEach(type -> objects.put(type + "Type", "rtype"));
        items.forEach(item -> objects.put(item.id(), "object"));
        scene.pieces().forEach(piece -> objects.put(piece.id(), "receptacle"));
        scene.pieces().forEach(piece -> objects.put(piece.location(), "location"));
        objects.put(start, "location");
        return objects;
    }

    private Set<String> thingTypes() {
        Set<String> types = new LinkedHashSet<>();
        items.forEach(item -> types.add(item.type()));
        return types;
    }

    private Set<String> receptacleTypes() {
        Set<String> types = new LinkedHashSet<>();
        scene.pieces().forEach(piece -> types.add(piece.type()));
        return types;
    }
}
