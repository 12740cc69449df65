package io.agentprm.env.alfworld.engine;

import io.agentprm.env.alfworld.pddl.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A released game compiled to arrays: its domain and grammar are known, so their rules are code.
 * Receptacles, objects and locations are numbered in the order of their ids; sets of objects are
 * bits. What changes during play is one array of words, laid out by {@link Layout}.
 */
public final class CompiledWorld implements World {
    private static final Set<String> STATUS = Set.of("isclean", "ishot", "iscool", "issliced");
    private static final Set<String> PROPERTIES =
            Set.of(
                    "pickupable",
                    "cleanable",
                    "heatable",
                    "coolable",
                    "toggleable",
                    "sliceable",
                    "isreceptacleobject");
    private static final List<String> PROPERTY = List.of("object");

    /** Relations and the types of their arguments. */
    private static final Map<String, List<String>> SIGNATURES =
            Map.of(
                    "cancontain", List.of("rtype", "otype"),
                    "objectatlocation", List.of("object", "location"),
                    "objecttype", List.of("object", "otype"),
                    "inreceptacle", List.of("object", "receptacle"),
                    "receptacletype", List.of("receptacle", "rtype"),
                    "receptacleatlocation", List.of("receptacle", "location"),
                    "atlocation", List.of("agent", "location"),
                    "openable", List.of("receptacle"),
                    "inreceptacleobject", List.of("object", "object"));

    final Dialect dialect;
    final Problem problem;
    final Layout layout;
    final long[] initial;
    final int start;
    final int agent;

    final int[] receptacleEntity;
    final String[] receptacleName;
    final int[] receptacleLocation;
    final boolean[] openable;
    final boolean[] basin;
    final boolean[] microwave;
    final boolean[] fridge;

    /** Objects that each receptacle can hold. */
    final long[] holdable;

    final int[] objectEntity;
    final String[] objectName;

    /** Place of each object when objects are sorted by name, and the reverse. */
    final int[] nameRank;

    final int[] objectByRank;
    final long[] pickupable;
    final long[] cleanable;
    final long[] heatable;
    final long[] coolable;
    final long[] toggleable;
    final long[] sliceable;
    final long[] isReceptacle;
    final boolean[] knife;
    final String[] inside;

    final int[] locationEntity;
    final String[] locationName;

    /** Receptacles at each location, by id for texts and by name for commands. */
    final int[][] atById;

    final int[][] atByName;

    /** All receptacles that have a location, by name. */
    final int[] byName;

    final CompiledGoal goal;
    final CommandTexts commands;
    final String allReceptacles;

    private CompiledWorld(Dialect dialect, Problem problem, Facts facts, Goals.Goal goal) {
        this.dialect = dialect;
        this.problem = problem;
        String[] names = facts.names;
        this.agent = facts.agents.get(0);
        this.receptacleEntity = facts.ofType("receptacle");
        this.objectEntity = facts.ofType("object");
        this.locationEntity = facts.ofType("location");
        this.receptacleName = named(names, receptacleEntity);
        this.objectName = named(names, objectEntity);
        this.locationName = named(names, locationEntity);
        int receptacles = receptacleEntity.length;
        this.layout = new Layout(receptacles, objectEntity.length, locationEntity.length);
        this.initial = new long[layout.size()];
        this.receptacleLocation = new int[receptacles];
        Arrays.fill(receptacleLocation, -1);
        this.openable = new boolean[receptacles];
        this.basin = new boolean[receptacles];
        this.microwave = new boolean[receptacles];
        this.fridge = new boolean[receptacles];
        this.holdable = new long[receptacles * layout.words];
        this.pickupable = new long[layout.words];
        this.cleanable = new long[layout.words];
        this.heatable = new long[layout.words];
        this.coolable = new long[layout.words];
        this.toggleable = new long[layout.words];
        this.sliceable = new long[layout.words];
        this.isReceptacle = new long[layout.words];
        this.knife = new boolean[objectEntity.length];
        this.inside = new String[objectEntity.length];
        this.start = fill(facts);
        this.objectByRank = sortedByName(objectName, IntStream.range(0, objectName.length));
        this.nameRank = new int[objectByRank.length];
        for (int i = 0; i < objectByRank.length; i++) {
            nameRank[objectByRank[i]] = i;
        }
        this.byName =
                sortedByName(
                        receptacleName,
                        IntStream.range(0, receptacles).filter(r -> receptacleLocation[r] >= 0));
        this.atById = new int[locationEntity.length][];
        this.atByName = new int[locationEntity.length][];
        for (int l = 0; l < locationEntity.length; l++) {
            int location = l;
            atById[l] =
                    IntStream.range(0, receptacles)
                            .filter(r -> receptacleLocation[r] == location)
                            .toArray();
            atByName[l] = sortedByName(receptacleName, Arrays.stream(atById[l]));
        }
        this.goal = new CompiledGoal(this, goal, facts.objectTypes, facts.receptacleTypes);
        this.commands = new CommandTexts(this);
        this.allReceptacles =
                Sentences.list(
                        IntStream.range(0, receptacles)
                                .filter(r -> receptacleLocation[r] >= 0)
                                .mapToObj(r -> "a " + receptacleName[r])
                                .toList());
    }

    /**
     * Compiles a game.
     *
     * @param domainHash SHA-256 of the domain's text
     * @param grammarHash SHA-256 of the grammar's text without the task sentence
     * @return empty if domain, grammar, goal or facts are not those that this engine knows
     */
    public static Optional<World> compile(String domainHash, String grammarHash, Problem problem) {
        Optional<Dialect> dialect = Dialect.of(domainHash, grammarHash);
        if (dialect.isEmpty()) {
            return Optional.empty();
        }
        Facts facts = new Facts(problem);
        Optional<Goals.Goal> goal = Goals.recognise(problem.goal());
        if (goal.isEmpty() || !facts.areKnown() || !CompiledGoal.knows(goal.get())) {
            return Optional.empty();
        }
        return Optional.of(new CompiledWorld(dialect.get(), problem, facts, goal.get()));
    }

    @Override
    public GameSession open(String taskSentence) {
        return new CompiledSession(this, taskSentence);
    }

    /** Objects with a property that never changes. */
    long[] with(String name) {
        return switch (name) {
            case "pickupable" -> pickupable;
            case "cleanable" -> cleanable;
            case "heatable" -> heatable;
            case "coolable" -> coolable;
            case "toggleable" -> toggleable;
            case "sliceable" -> sliceable;
            case "isreceptacleobject" -> isReceptacle;
            default -> throw new IllegalArgumentException("no fixed property " + name);
        };
    }

    private static String[] named(String[] names, int[] entities) {
        return Arrays.stream(entities).mapToObj(entity -> names[entity]).toArray(String[]::new);
    }

    private static int[] sortedByName(String[] names, IntStream numbers) {
        return numbers.boxed()
                .sorted(Comparator.comparing((Integer i) -> names[i]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** Writes the facts into the arrays and returns where the agent starts. */
    private int fill(Facts facts) {
        int[] startAt = {0};
        Map<Integer, List<Integer>> inner = new LinkedHashMap<>();
        problem.forEachFact(
                (predicate, arguments) -> {
                    int[] at = facts.places(arguments);
                    switch (predicate) {
                        case "atlocation" -> startAt[0] = at[1];
                        case "receptacleatlocation" -> receptacleLocation[at[0]] = at[1];
                        case "openable" -> openable[at[0]] = true;
                        case "inreceptacle" -> Bits.set(initial, layout.contents(at[1]), at[0]);
                        case "objectatlocation" ->
                                Bits.set(initial, layout.objectsAt(at[1]), at[0]);
                        case "isclean" -> Bits.set(initial, layout.clean, at[0]);
                        case "ishot" -> Bits.set(initial, layout.hot, at[0]);
                        case "iscool" -> Bits.set(initial, layout.cool, at[0]);
                        case "issliced" -> Bits.set(initial, layout.sliced, at[0]);
                        case "inreceptacleobject" ->
                                inner.computeIfAbsent(at[1], o -> new ArrayList<>()).add(at[0]);
                        default -> {
                            if (PROPERTIES.contains(predicate)) {
                                Bits.set(with(predicate), 0, at[0]);
                            }
                        }
                    }
                });
        for (int r = 0; r < receptacleEntity.length; r++) {
            Set<Integer> types = facts.receptacleTypes.getOrDefault(r, Set.of());
            basin[r] =
                    facts.isA(types, "sinkbasintype")
                            || (facts.isA(types, "sinktype") && dialect != Dialect.GENERATED);
            microwave[r] = facts.isA(types, "microwavetype");
            fridge[r] = facts.isA(types, "fridgetype");
            int row = r * layout.words;
            facts.fitting(types).stream().forEach(o -> Bits.set(holdable, row, o));
        }
        for (int o = 0; o < objectEntity.length; o++) {
            Set<Integer> types = facts.objectTypes.getOrDefault(o, Set.of());
            knife[o] = facts.isA(types, "knifetype") || facts.isA(types, "butterknifetype");
            int outer = o;
            inside[o] =
                    Sentences.list(
                            inner.getOrDefault(o, List.of()).stream()
                                    .distinct()
                                    .filter(x -> x != outer)
                                    .sorted()
                                    .map(x -> "a " + objectName[x])
                                    .toList());
        }
        return startAt[0];
    }

    /** The facts of a problem, sorted out, and whether this engine can take them. */
    static final class Facts {
        private static final BitSet NONE = new BitSet();

        private final Problem problem;
        private final String[] names;

        /** Place of each entity among those of its type; negative if no fact mentions it. */
        private final int[] index;

        private final Map<String, List<Integer>> byType = new HashMap<>();
        private final Map<Integer, Set<Integer>> objectTypes = new HashMap<>();
        private final Map<Integer, Set<Integer>> receptacleTypes = new HashMap<>();

        /** Objects of each type. */
        private final Map<Integer, BitSet> ofObjectType = new HashMap<>();

        /** Types of objects that each type of receptacles can hold. */
        private final Map<Integer, BitSet> containable = new HashMap<>();

        private final List<Integer> agents = new ArrayList<>();
        private boolean known = true;

        Facts(Problem problem) {
            this.problem = problem;
            this.names = Names.of(problem);
            this.index = new int[problem.size()];
            Arrays.fill(index, -1);
            for (int entity : problem.mentioned()) {
                List<Integer> members =
                        byType.computeIfAbsent(problem.type(entity), type -> new ArrayList<>());
                index[entity] = members.size();
                members.add(entity);
            }
            for (int entity = 0; entity < problem.size(); entity++) {
                if (problem.type(entity).equals("agent")) {
                    agents.add(entity);
                }
            }
            read();
        }

        boolean areKnown() {
            return known;
        }

        int[] ofType(String type) {
            return byType.getOrDefault(type, List.of()).stream()
                    .mapToInt(Integer::intValue)
                    .toArray();
        }

        boolean isA(Set<Integer> types, String id) {
            return types.contains(problem.entity(id));
        }

        /** Objects that a receptacle of these types can hold. */
        BitSet fitting(Set<Integer> receptacleTypes) {
            BitSet types = new BitSet();
            receptacleTypes.forEach(type -> types.or(containable.getOrDefault(type, NONE)));
            BitSet objects = new BitSet();
            types.stream().forEach(type -> objects.or(ofObjectType.getOrDefault(type, NONE)));
            return objects;
        }

        /** Places of entities among those of their types. */
        int[] places(int[] entities) {
            int[] places = new int[entities.length];
            for (int i = 0; i < places.length; i++) {
                places[i] = index[entities[i]];
            }
            return places;
        }

        private void read() {
            Set<Integer> located = new HashSet<>();
            int[] places = {0};
            problem.forEachFact(
                    (predicate, arguments) -> {
                        known &=
                                STATUS.contains(predicate)
                                        || PROPERTIES.contains(predicate)
                                        || SIGNATURES.containsKey(predicate);
                        known &= typesFit(predicate, arguments);
                        if (!known) {
                            return;
                        }
                        switch (predicate) {
                            case "atlocation" -> places[0]++;
                            case "receptacleatlocation" -> known &= located.add(arguments[0]);
                            case "cancontain" ->
                                    containable
                                            .computeIfAbsent(arguments[0], r -> new BitSet())
                                            .set(arguments[1]);
                            case "objecttype" -> {
                                int object = index[arguments[0]];
                                objectTypes
                                        .computeIfAbsent(object, o -> new HashSet<>())
                                        .add(arguments[1]);
                                ofObjectType
                                        .computeIfAbsent(arguments[1], t -> new BitSet())
                                        .set(object);
                            }
                            case "receptacletype" ->
                                    receptacleTypes
                                            .computeIfAbsent(
                                                    index[arguments[0]], r -> new HashSet<>())
                                            .add(arguments[1]);
                            default -> {}
                        }
                    });
            known &= agents.size() == 1 && places[0] == 1 && namesAreSimple();
            known &= problem.size() < CommandList.LIMIT;
        }

        private boolean typesFit(String predicate, int[] arguments) {
            List<String> types = SIGNATURES.getOrDefault(predicate, PROPERTY);
            for (int i = 0; i < arguments.length; i++) {
                if (!problem.type(arguments[i]).equals(types.get(i))) {
                    return false;
                }
            }
            return true;
        }

        /**
         * Names are a class, a space and a number, all different: then commands sort verb by verb
         * and name by name.
         */
        private boolean namesAreSimple() {
            Set<String> seen = new HashSet<>();
            for (String type : List.of("object", "receptacle")) {
                for (int entity : ofType(type)) {
                    String name = names[entity];
                    int space = name.indexOf(' ');
                    if (space <= 0 || space == name.length() - 1 || !seen.add(name)) {
                        return false;
                    }
                }
            }
            return true;
        }
    }
}
