package io.agentprm.env.alfworld.expert;

import io.agentprm.env.alfworld.household.Furniture;
import io.agentprm.env.alfworld.household.Household;
import io.agentprm.env.alfworld.household.Names;
import io.agentprm.env.alfworld.household.Thing;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Where things use to lie, counted over games. Of all receptacles of a class, in games that have a
 * thing of the wanted class, it knows which share held one. Immutable; classes are as displayed.
 */
public final class PlacementPrior {
    private record Pair(String receptacle, String thing) {}

    private final Map<Pair, Integer> holding;
    private final Map<Pair, Integer> present;
    private final Map<String, Integer> openable;
    private final Map<String, Integer> instances;

    private PlacementPrior(Counter counter) {
        this.holding = Map.copyOf(counter.holding);
        this.present = Map.copyOf(counter.present);
        this.openable = Map.copyOf(counter.openable);
        this.instances = Map.copyOf(counter.instances);
    }

    /** Counts over these games at their start. */
    public static PlacementPrior of(Iterable<Household> games) {
        Counter counter = new Counter();
        games.forEach(counter::add);
        return new PlacementPrior(counter);
    }

    /**
     * Probability that a receptacle of the class holds a thing of the class, in games that have
     * such a thing; 0 where nothing was counted.
     */
    public double probability(String receptacle, String thing) {
        Pair pair = new Pair(receptacle, thing);
        int all = present.getOrDefault(pair, 0);
        return all == 0 ? 0 : (double) holding.getOrDefault(pair, 0) / all;
    }

    /** Whether most receptacles of the class must be opened. */
    public boolean opens(String receptacle) {
        return 2 * openable.getOrDefault(receptacle, 0) > instances.getOrDefault(receptacle, 0);
    }

    private static final class Counter {
        private final Map<Pair, Integer> holding = new HashMap<>();
        private final Map<Pair, Integer> present = new HashMap<>();
        private final Map<String, Integer> openable = new HashMap<>();
        private final Map<String, Integer> instances = new HashMap<>();

        void add(Household game) {
            Map<String, Integer> here = new HashMap<>();
            for (Furniture piece : game.furniture()) {
                String type = Names.className(piece.id());
                here.merge(type, 1, Integer::sum);
                openable.merge(type, piece.openable() ? 1 : 0, Integer::sum);
            }
            here.forEach((type, number) -> instances.merge(type, number, Integer::sum));
            Map<String, Set<Furniture>> holders = new HashMap<>();
            for (Thing thing : game.things()) {
                holders.computeIfAbsent(Names.className(thing.id()), type -> new HashSet<>())
                        .addAll(game.holders(thing));
            }
            holders.forEach(
                    (thing, pieces) -> {
                        if (pieces.isEmpty()) {
                            return;
                        }
                        here.forEach(
                                (type, number) ->
                                        present.merge(new Pair(type, thing), number, Integer::sum));
                        for (Furniture piece : pieces) {
                            Pair pair = new Pair(Names.className(piece.id()), thing);
                            holding.merge(pair, 1, Integer::sum);
                        }
                    });
        }
    }
}
