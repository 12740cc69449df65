package io.agentprm.env.alfworld.generator;

import io.agentprm.env.alfworld.expert.PlacementPrior;
import io.agentprm.env.alfworld.game.TaskType;
import io.agentprm.env.alfworld.household.Atom;
import io.agentprm.env.alfworld.household.Blueprint;
import io.agentprm.env.alfworld.household.Furniture;
import io.agentprm.env.alfworld.household.Goal;
import io.agentprm.env.alfworld.household.Household;
import io.agentprm.env.alfworld.household.Names;
import io.agentprm.env.alfworld.household.Thing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Moves things to receptacles that can contain them, as likely as such things lie there in the
 * training games. Things that cannot be carried, lie in two receptacles, or have to do with a
 * container stay; wanted things never start where they are wanted.
 */
final class Relocation {
    private static final String PICKUPABLE = "pickupable";
    private static final String FRIDGE = "fridge";
    private static final String COOL = "iscool";

    private final PlacementPrior prior;
    private final double share;

    /**
     * A way of moving things.
     *
     * @param share probability that a movable thing moves
     */
    Relocation(PlacementPrior prior, double share) {
        this.prior = prior;
        this.share = share;
    }

    Blueprint move(Blueprint game, RandomGenerator draws) {
        return move(game, Set.of(), draws);
    }

    /**
     * Moves things, as far as possible everything out of some receptacles and nothing into them.
     *
     * @param leaving ids of those receptacles
     */
    Blueprint move(Blueprint game, Set<String> leaving, RandomGenerator draws) {
        Household room = game.household();
        Set<String> fixed = containersAndTheirContents(game);
        Map<String, Furniture> moved = new HashMap<>();
        for (Thing thing : room.things()) {
            boolean chosen =
                    draws.nextDouble() < share
                            || room.holders(thing).stream()
                                    .anyMatch(piece -> leaving.contains(piece.id()));
            if (chosen
                    && thing.is(PICKUPABLE)
                    && room.holders(thing).size() == 1
                    && !fixed.contains(thing.id())) {
                place(thing, room, leaving, draws).ifPresent(to -> moved.put(thing.id(), to));
            }
        }
        return rewrite(game, room, moved);
    }

    private static Set<String> containersAndTheirContents(Blueprint game) {
        Set<String> ids = new HashSet<>();
        for (Atom fact : game.facts()) {
            if (is(fact, "inReceptacleObject")) {
                fact.arguments().forEach(id -> ids.add(lower(id)));
            }
        }
        return ids;
    }

    private Optional<Furniture> place(
            Thing thing, Household room, Set<String> leaving, RandomGenerator draws) {
        Goal goal = room.goal();
        boolean wanted = thing.type().equals(goal.object());
        List<Weighted.Entry<Furniture>> places = new ArrayList<>();
        for (Furniture piece : room.furniture()) {
            double weight =
                    prior.probability(Names.className(piece.id()), Names.className(thing.id()));
            boolean settles =
                    piece.type().equals(goal.place())
                            || goal.type() == TaskType.PICK_COOL_THEN_PLACE_IN_RECEP
                                    && piece.type().equals(FRIDGE);
            if (weight > 0
                    && room.canContain(piece, thing)
                    && !(wanted && settles)
                    && !leaving.contains(piece.id())) {
                places.add(new Weighted.Entry<>(piece, weight));
            }
        }
        return new Weighted<>(places).draw(draws);
    }

    private static Blueprint rewrite(Blueprint game, Household room, Map<String, Furniture> moved) {
        Map<String, String> spelling = new HashMap<>();
        game.objects().keySet().forEach(id -> spelling.put(lower(id), id));
        List<Atom> facts = new ArrayList<>();
        for (Atom fact : game.facts()) {
            boolean place =
                    is(fact, "inReceptacle") || is(fact, "objectAtLocation") || is(fact, COOL);
            if (!place || !moved.containsKey(lower(fact.arguments().get(0)))) {
                facts.add(fact);
            }
        }
        for (Thing thing : room.things()) {
            Furniture to = moved.get(thing.id());
            if (to != null) {
                String id = spelling.get(thing.id());
                facts.add(Atom.of("inReceptacle", id, spelling.get(to.id())));
                facts.add(Atom.of("objectAtLocation", id, spelling.get(to.location())));
                if (thing.type().equals(room.goal().object()) && to.type().equals(FRIDGE)) {
                    facts.add(Atom.of("isCool", id));
                }
            }
        }
        return new Blueprint(game.name(), game.domain(), game.objects(), facts, game.goal());
    }

    private static boolean is(Atom fact, String predicate) {
        return fact.predicate().equalsIgnoreCase(predicate);
    }

    private static String lower(String id) {
        return id.toLowerCase(Locale.ROOT);
    }
}
