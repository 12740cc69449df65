package io.agentprm.env.alfworld.generator;

import io.agentprm.env.alfworld.household.Atom;
import io.agentprm.env.alfworld.household.Blueprint;
import io.agentprm.env.alfworld.household.Furniture;
import io.agentprm.env.alfworld.household.Household;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * Gives a room another layout: receptacles come and go until there are of each class as many as in
 * some training room of its kind. Those that come stand in places of their own; those that go are
 * emptied by {@link Relocation}, and stay where they cannot be emptied.
 */
final class Refurnishing {
    private final Layouts layouts;
    private final Relocation relocation;

    Refurnishing(Layouts layouts, Relocation relocation) {
        this.layouts = layouts;
        this.relocation = relocation;
    }

    Blueprint refurnish(Blueprint game, RandomGenerator draws) {
        Household room = game.household();
        Map<String, Integer> wanted = layouts.draw(Layouts.kind(room), draws);
        Map<String, Integer> there = Layouts.count(room);
        Set<String> types = new TreeSet<>(wanted.keySet());
        types.addAll(there.keySet());
        Set<String> leaving = new HashSet<>();
        List<Piece> coming = new ArrayList<>();
        Ids ids = new Ids(game.objects().keySet(), draws);
        for (String type : types) {
            int surplus = there.getOrDefault(type, 0) - wanted.getOrDefault(type, 0);
            List<Furniture> pieces = new ArrayList<>(room.furnitureOf(type));
            for (int i = 0; i < surplus; i++) {
                leaving.add(pieces.remove(draws.nextInt(pieces.size())).id());
            }
            for (int i = surplus; i < 0; i++) {
                coming.add(
                        new Piece(
                                ids.instance(type),
                                type,
                                ids.location(),
                                layouts.opens(type, draws)));
            }
        }
        return without(relocation.move(with(game, coming), leaving, draws), leaving);
    }

    private Blueprint with(Blueprint game, List<Piece> coming) {
        Map<String, String> objects = new LinkedHashMap<>(game.objects());
        Set<Atom> facts = new LinkedHashSet<>(game.facts());
        for (Piece piece : coming) {
            String kind = piece.type() + "type";
            objects.put(piece.id(), "receptacle");
            objects.put(piece.location(), "location");
            objects.putIfAbsent(kind, "rtype");
            facts.add(Atom.of("receptacletype", piece.id(), kind));
            facts.add(Atom.of("receptacleatlocation", piece.id(), piece.location()));
            if (piece.openable()) {
                facts.add(Atom.of("openable", piece.id()));
            }
            for (String thing : layouts.contents(piece.type())) {
                if (objects.containsKey(thing + "type")) {
                    facts.add(Atom.of("cancontain", kind, thing + "type"));
                }
            }
        }
        return new Blueprint(game.name(), game.domain(), objects, List.copyOf(facts), game.goal());
    }

    /** The game without those of these receptacles that are empty. */
    private static Blueprint without(Blueprint game, Set<String> leaving) {
        Set<String> gone = new HashSet<>(leaving);
        for (Atom fact : game.facts()) {
            if (fact.predicate().equalsIgnoreCase("inreceptacle")) {
                gone.remove(fact.arguments().get(1).toLowerCase(Locale.ROOT));
            }
        }
        Map<String, String> objects = new LinkedHashMap<>(game.objects());
        objects.keySet().removeAll(gone);
        List<Atom> facts = new ArrayList<>(game.facts());
        facts.removeIf(fact -> fact.arguments().stream().anyMatch(gone::contains));
        return new Blueprint(game.name(), game.domain(), objects, facts, game.goal());
    }
}
