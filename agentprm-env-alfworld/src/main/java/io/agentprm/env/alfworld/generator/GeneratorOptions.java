package io.agentprm.env.alfworld.generator;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.game.TaskType;
import java.util.List;

/** What games to make. Every component changes the games, so all belong to their identity. */
@Description("Household games made from a seed.")
public record GeneratorOptions(
        @Description("Seed of all games.") @Default("1") long seed,
        @Description("How crowded rooms are.") @Default("standard") RoomSize size,
        @Description(
                        "Largest number of receptacles in a room, at least 6; 0 leaves it to the size.")
                @Default("0")
                int maxReceptacles,
        @Description("Largest number of objects in a room, at least 3; 0 leaves it to the size.")
                @Default("0")
                int maxObjects,
        @Description("Task types; none means all six.") List<TaskType> taskTypes,
        @Description("Kinds of rooms; none means all four.") List<RoomKind> rooms,
        @Description("Training scenes of each kind of room, at least 1.") @Default("100")
                int trainScenes,
        @Description("Unseen scenes of each kind of room, at least 1.") @Default("25")
                int unseenScenes,
        @Description("Games of split train.") @Default("2000") int trainGames,
        @Description("Games of split valid_seen.") @Default("200") int seenGames,
        @Description("Games of split valid_unseen.") @Default("200") int unseenGames) {
    private static final int FEWEST_RECEPTACLES = 6;
    private static final int FEWEST_OBJECTS = 3;

    public GeneratorOptions {
        taskTypes = List.copyOf(taskTypes);
        rooms = List.copyOf(rooms);
        atLeastOrZero("max-receptacles", maxReceptacles, FEWEST_RECEPTACLES);
        atLeastOrZero("max-objects", maxObjects, FEWEST_OBJECTS);
        atLeast("train-scenes", trainScenes, 1);
        atLeast("unseen-scenes", unseenScenes, 1);
        atLeast("train-games", trainGames, 0);
        atLeast("seen-games", seenGames, 0);
        atLeast("unseen-games", unseenGames, 0);
    }

    /** Rooms as crowded as in the released games. */
    public static GeneratorOptions standard(long seed) {
        return of(seed, RoomSize.STANDARD);
    }

    /** Small rooms with short texts. */
    public static GeneratorOptions small(long seed) {
        return of(seed, RoomSize.SMALL);
    }

    private static GeneratorOptions of(long seed, RoomSize size) {
        return new GeneratorOptions(
                seed, size, 0, 0, List.of(), List.of(), 100, 25, 2000, 200, 200);
    }

    /** The same options with other limits; 0 leaves a limit to the size. */
    public GeneratorOptions withLimits(int receptacles, int objects) {
        return new GeneratorOptions(
                seed,
                size,
                receptacles,
                objects,
                taskTypes,
                rooms,
                trainScenes,
                unseenScenes,
                trainGames,
                seenGames,
                unseenGames);
    }

    /** The same options for some task types and kinds of rooms only; an empty list means all. */
    public GeneratorOptions only(List<TaskType> types, List<RoomKind> kinds) {
        return new GeneratorOptions(
                seed,
                size,
                maxReceptacles,
                maxObjects,
                types,
                kinds,
                trainScenes,
                unseenScenes,
                trainGames,
                seenGames,
                unseenGames);
    }

    /** The same options with other numbers of scenes of each kind of room. */
    public GeneratorOptions withScenes(int train, int unseen) {
        return new GeneratorOptions(
                seed,
                size,
                maxReceptacles,
                maxObjects,
                taskTypes,
                rooms,
                train,
                unseen,
                trainGames,
                seenGames,
                unseenGames);
    }

    /** The same options with other numbers of games. */
    public GeneratorOptions withGames(int train, int seen, int unseen) {
        return new GeneratorOptions(
                seed,
                size,
                maxReceptacles,
                maxObjects,
                taskTypes,
                rooms,
                trainScenes,
                unseenScenes,
                train,
                seen,
                unseen);
    }

    /** Number of games of a split. */
    public int games(Split split) {
        return switch (split) {
            case TRAIN -> trainGames;
            case VALID_SEEN -> seenGames;
            case VALID_UNSEEN -> unseenGames;
        };
    }

    /** Largest number of receptacles; 0 for no limit. */
    int receptacleLimit() {
        return maxReceptacles > 0 ? maxReceptacles : size.receptacles();
    }

    /** Largest number of objects; 0 for no limit. */
    int objectLimit() {
        return maxObjects > 0 ? maxObjects : size.objects();
    }

    private static void atLeast(String key, int value, int least) {
        if (value < least) {
            throw new AlfworldException(key + " must be " + least + " or more, was " + value);
        }
    }

    private static void atLeastOrZero(String key, int value, int least) {
        if (value != 0) {
            atLeast(key, value, least);
        }
    }
}
