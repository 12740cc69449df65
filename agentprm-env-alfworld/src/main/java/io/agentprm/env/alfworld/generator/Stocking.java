package io.agentprm.env.alfworld.generator;

import io.agentprm.env.alfworld.game.TaskType;
import io.agentprm.env.alfworld.household.Treatment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Puts things into a scene such that a goal can be reached and is not reached yet. */
final class Stocking {
    private final Rooms rooms;
    private final int limit;

    /**
     * Stocks rooms.
     *
     * @param limit largest number of things, 0 for none
     */
    Stocking(Rooms rooms, int limit) {
        this.rooms = rooms;
        this.limit = limit;
    }

    /** A game of that type in the scene; empty if the scene has no use for such a goal. */
    Optional<Draft> stock(Scene scene, TaskType type, RandomGenerator draws) {
        Optional<GoalPair> pair =
                rooms.goals(type).where(goal -> fits(goal, scene, type)).draw(draws);
        return pair.map(goal -> stock(scene, type, goal, draws));
    }

    private boolean fits(GoalPair goal, Scene scene, TaskType type) {
        boolean look = type == TaskType.LOOK_AT_OBJ_IN_LIGHT;
        boolean tool =
                Treatment.of(type)
                        .map(how -> scene.pieces().stream().anyMatch(p -> is(p, how.receptacle())))
                        .orElse(true);
        boolean target =
                look
                        ? !places(goal.place(), scene, goal, type).entries().isEmpty()
                        : scene.has(goal.place()) && rooms.canContain(goal.place(), goal.object());
        return tool && target && !places(goal.object(), scene, goal, type).entries().isEmpty();
    }

    private static boolean is(Piece piece, String displayed) {
        return piece.type().equalsIgnoreCase(displayed);
    }

    /**
     * Where things of that class may lie, with how likely: what was counted for the class of
     * receptacle, shared by the usual number of its instances, times those in this scene.
     */
    private Weighted<Piece> places(String thing, Scene scene, GoalPair goal, TaskType type) {
        List<Weighted.Entry<Piece>> places = new ArrayList<>();
        for (Weighted.Entry<String> entry : rooms.placements(scene.kind(), thing).entries()) {
            String receptacle = entry.item();
            boolean wanted = thing.equals(goal.object());
            if (wanted && settles(receptacle, goal, type) || !rooms.mayLie(thing, receptacle)) {
                continue;
            }
            Frequency usual = rooms.receptacles(scene.kind()).get(receptacle);
            double weight = entry.weight() / (usual.share() * usual.mean());
            for (Piece piece : scene.pieces(receptacle)) {
                places.add(new Weighted.Entry<>(piece, weight));
            }
        }
        return new Weighted<>(places);
    }

    /** Whether a wanted thing that starts there would be part of the work done. */
    private static boolean settles(String receptacle, GoalPair goal, TaskType type) {
        return receptacle.equals(goal.place())
                || type == TaskType.PICK_COOL_THEN_PLACE_IN_RECEP && receptacle.equals("Fridge");
    }

    private Draft stock(Scene scene, TaskType type, GoalPair goal, RandomGenerator draws) {
        List<String> needed = new ArrayList<>();
        needed.add(goal.object());
        if (type == TaskType.PICK_TWO_OBJ_AND_PLACE) {
            needed.add(goal.object());
        } else if (type == TaskType.LOOK_AT_OBJ_IN_LIGHT) {
            needed.add(goal.place());
        }
        List<String> types = new ArrayList<>(needed);
        types.addAll(extras(scene, needed, draws));

        Set<String> taken = new HashSet<>();
        scene.pieces()
                .forEach(
                        piece -> {
                            taken.add(piece.id());
                            taken.add(piece.location());
                        });
        Ids ids = new Ids(taken, draws);
        List<Item> items = new ArrayList<>();
        for (String thing : types) {
            places(thing, scene, goal, type)
                    .draw(draws)
                    .ifPresent(place -> items.add(new Item(ids.instance(thing), thing, place)));
        }
        return new Draft(scene, items, type, goal, ids.location());
    }

    /** Further things of the room, as many as the limit leaves. */
    private List<String> extras(Scene scene, List<String> needed, RandomGenerator draws) {
        List<String> extras = new ArrayList<>();
        rooms.things(scene.kind())
                .forEach(
                        (thing, frequency) -> {
                            int number =
                                    frequency.draw(draws) - Collections.frequency(needed, thing);
                            extras.addAll(Collections.nCopies(Math.max(0, number), thing));
                        });
        int room = limit > 0 ? Math.max(0, limit - needed.size()) : extras.size();
        while (extras.size() > room) {
            extras.remove(draws.nextInt(extras.size()));
        }
        return extras;
    }
}
