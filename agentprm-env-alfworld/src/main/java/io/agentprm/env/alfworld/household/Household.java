package io.agentprm.env.alfworld.household;

import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.pddl.Problem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A room at one moment, with everything that is true in it, and the goal. Immutable; ids are in
 * lower case, collections are sorted by id.
 */
public final class Household {
    private record Kinds(String receptacle, String object) {}

    private final Goal goal;
    private final Map<String, Furniture> furniture;
    private final Map<String, Thing> things;
    private final Map<String, Set<String>> holders;
    private final Set<Kinds> containable;
    private final Set<String> opened;
    private final String agentLocation;
    private final Optional<String> held;

    private Household(Goal goal, Reader reader) {
        this.goal = goal;
        this.furniture = new TreeMap<>();
        this.things = new TreeMap<>();
        this.holders = reader.holders;
        this.containable = reader.containable;
        this.opened = reader.opened;
        this.held = reader.held;
        this.agentLocation =
                reader.agentLocation.orElseThrow(
                        () -> new AlfworldException("no atLocation fact says where the agent is"));
        reader.receptacleTypes.forEach(
                (id, type) -> {
                    String location = reader.locations.get(id);
                    if (location != null) {
                        boolean openable = reader.openable.contains(id);
                        furniture.put(id, new Furniture(id, type, location, openable));
                    }
                });
        reader.objectTypes.forEach(
                (id, type) ->
                        things.put(
                                id,
                                new Thing(id, type, reader.properties.getOrDefault(id, Set.of()))));
    }

    /**
     * The room in which exactly these facts are true.
     *
     * @throws AlfworldException if no fact says where the agent is
     */
    public static Household of(Collection<Atom> facts, Goal goal) {
        Reader reader = new Reader();
        facts.forEach(reader::read);
        return new Household(goal, reader);
    }

    /**
     * The room at the start of a game.
     *
     * @throws AlfworldException if the goal has none of the six known shapes
     */
    public static Household of(Problem problem) {
        return Blueprint.of(problem).household();
    }

    public Goal goal() {
        return goal;
    }

    public Collection<Furniture> furniture() {
        return furniture.values();
    }

    public List<Furniture> furnitureOf(String type) {
        return furniture.values().stream().filter(piece -> piece.type().equals(type)).toList();
    }

    public Collection<Thing> things() {
        return things.values();
    }

    public List<Thing> thingsOf(String type) {
        return things.values().stream().filter(thing -> thing.type().equals(type)).toList();
    }

    /** Receptacles in which the thing is listed: none while carried, rarely two. */
    public List<Furniture> holders(Thing thing) {
        List<Furniture> where = new ArrayList<>();
        for (String id : holders.getOrDefault(thing.id(), Set.of())) {
            Furniture piece = furniture.get(id);
            if (piece != null) {
                where.add(piece);
            }
        }
        return where;
    }

    public boolean canContain(Furniture piece, Thing thing) {
        return canContain(piece.type(), thing.type());
    }

    /** Whether receptacles of a class can contain things of a class. */
    public boolean canContain(String receptacle, String thing) {
        return containable.contains(new Kinds(receptacle, thing));
    }

    public boolean isOpened(Furniture piece) {
        return opened.contains(piece.id());
    }

    public String agentLocation() {
        return agentLocation;
    }

    /** What the agent carries. */
    public Optional<Thing> held() {
        return held.map(things::get);
    }

    /** Sorts facts into what they are about. */
    private static final class Reader {
        private static final String TYPE = "type";

        private final Map<String, String> receptacleTypes = new TreeMap<>();
        private final Map<String, String> objectTypes = new TreeMap<>();
        private final Map<String, String> locations = new HashMap<>();
        private final Map<String, Set<String>> holders = new HashMap<>();
        private final Map<String, Set<String>> properties = new HashMap<>();
        private final Set<Kinds> containable = new HashSet<>();
        private final Set<String> openable = new HashSet<>();
        private final Set<String> opened = new HashSet<>();
        private Optional<String> agentLocation = Optional.empty();
        private Optional<String> held = Optional.empty();

        void read(Atom fact) {
            String predicate = fact.predicate().toLowerCase(Locale.ROOT);
            List<String> ids =
                    fact.arguments().stream().map(id -> id.toLowerCase(Locale.ROOT)).toList();
            switch (predicate) {
                case "receptacletype" -> receptacleTypes.put(ids.get(0), kind(ids.get(1)));
                case "objecttype" -> objectTypes.put(ids.get(0), kind(ids.get(1)));
                case "receptacleatlocation" -> locations.put(ids.get(0), ids.get(1));
                case "cancontain" -> containable.add(new Kinds(kind(ids.get(0)), kind(ids.get(1))));
                case "inreceptacle" ->
                        holders.computeIfAbsent(ids.get(0), id -> new TreeSet<>()).add(ids.get(1));
                case "atlocation" -> agentLocation = Optional.of(ids.get(1));
                case "holds" -> held = Optional.of(ids.get(1));
                case "openable" -> openable.add(ids.get(0));
                case "opened" -> opened.add(ids.get(0));
                default -> {
                    if (ids.size() == 1) {
                        properties
                                .computeIfAbsent(ids.get(0), id -> new HashSet<>())
                                .add(predicate);
                    }
                }
            }
        }

        private static String kind(String type) {
            return type.endsWith(TYPE) ? type.substring(0, type.length() - TYPE.length()) : type;
        }
    }
}
