package io.agentprm.env.alfworld.generator;

import io.agentprm.api.run.RandomSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * The scenes of a generator, drawn when first asked for. Whether a layout belongs to the unseen
 * scenes is a property of the layout alone (a hash of it), so no unseen layout occurs in training,
 * whatever the seed and the number of scenes.
 */
final class Scenes {
    /** One layout in so many is kept for unseen scenes. */
    private static final int HELD_OUT = 4;

    /** Share of receptacles that are put where another one stands, as in the released games. */
    private static final double SHARED = 0.1;

    /** Limits leave the number of receptacles this much room below them. */
    private static final int PLAY = 3;

    private static final int NUMBERS_OF_A_KIND = 20_000;
    private static final int NUMBERS_OF_A_GROUP = 10_000;

    private static final Map<RoomKind, Set<String>> INDISPENSABLE =
            Map.of(
                    RoomKind.KITCHEN, Set.of("SinkBasin", "Microwave", "Fridge", "CounterTop"),
                    RoomKind.LIVINGROOM, Set.of("Sofa"),
                    RoomKind.BEDROOM, Set.of("Bed"),
                    RoomKind.BATHROOM, Set.of("SinkBasin", "Toilet"));

    private final Rooms rooms;
    private final int limit;
    private final RandomSource random;
    private final Map<Integer, Scene> drawn = new ConcurrentHashMap<>();

    /**
     * Scenes without furniture yet.
     *
     * @param limit largest number of receptacles, 0 for none
     */
    Scenes(Rooms rooms, int limit, RandomSource random) {
        this.rooms = rooms;
        this.limit = limit;
        this.random = random;
    }

    /** The index-th scene of that kind among the unseen or the training ones. */
    Scene scene(RoomKind kind, boolean unseen, int index) {
        int number =
                kind.ordinal() * NUMBERS_OF_A_KIND + (unseen ? NUMBERS_OF_A_GROUP : 0) + index + 1;
        return drawn.computeIfAbsent(number, key -> draw(kind, unseen, key));
    }

    private Scene draw(RoomKind kind, boolean unseen, int number) {
        RandomSource source = random.derive(number);
        for (long attempt = 0; ; attempt++) {
            Scene scene = furnish(kind, number, source.derive(attempt).generator());
            if (heldOut(scene.layout()) == unseen) {
                return scene;
            }
        }
    }

    private static boolean heldOut(String layout) {
        return Long.remainderUnsigned(RandomSource.of(0).derive(layout).seed(), HELD_OUT) == 0;
    }

    private Scene furnish(RoomKind kind, int number, RandomGenerator draws) {
        List<String> types = new ArrayList<>();
        rooms.receptacles(kind)
                .forEach(
                        (type, frequency) -> {
                            boolean needed = INDISPENSABLE.get(kind).contains(type);
                            int count = Math.max(frequency.draw(draws), needed ? 1 : 0);
                            types.addAll(Collections.nCopies(count, type));
                        });
        if (limit > 0) {
            thin(types, kind, limit - draws.nextInt(PLAY), draws);
        }
        Ids ids = new Ids(Set.of(), draws);
        Map<Integer, String> locations = share(types, ids, draws);
        List<Piece> pieces = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            String type = types.get(i);
            boolean openable = draws.nextDouble() < rooms.openable(type);
            pieces.add(
                    new Piece(
                            ids.instance(type),
                            type,
                            locations.computeIfAbsent(i, key -> ids.location()),
                            openable));
        }
        return new Scene(kind, number, pieces);
    }

    private static void thin(List<String> types, RoomKind kind, int target, RandomGenerator draws) {
        while (types.size() > target) {
            int index = draws.nextInt(types.size());
            String type = types.get(index);
            if (!INDISPENSABLE.get(kind).contains(type) || Collections.frequency(types, type) > 1) {
                types.remove(index);
            }
        }
    }

    /** Common locations of some groups of receptacles, by their index. */
    private Map<Integer, String> share(List<String> types, Ids ids, RandomGenerator draws) {
        Map<Integer, String> locations = new HashMap<>();
        int wanted = (int) (types.size() * SHARED + draws.nextDouble());
        while (wanted > 0) {
            List<Integer> free = new ArrayList<>();
            for (int i = 0; i < types.size(); i++) {
                if (!locations.containsKey(i)) {
                    free.add(i);
                }
            }
            List<String> group =
                    rooms.shared()
                            .where(classes -> !choose(classes, types, free).isEmpty())
                            .draw(draws)
                            .orElse(List.of());
            if (group.isEmpty()) {
                break;
            }
            String location = ids.location();
            choose(group, types, free).forEach(index -> locations.put(index, location));
            wanted -= group.size() - 1;
        }
        return locations;
    }

    /** Free receptacles of the group's classes; empty if the room does not have them all. */
    private static List<Integer> choose(
            List<String> group, List<String> types, List<Integer> free) {
        List<Integer> left = new ArrayList<>(free);
        List<Integer> chosen = new ArrayList<>();
        for (String type : group) {
            for (Integer index : left) {
                if (types.get(index).equals(type)) {
                    chosen.add(index);
                    break;
                }
            }
            left.removeAll(chosen);
        }
        return chosen.size() == group.size() ? chosen : List.of();
    }
}
