package io.agentprm.env.alfworld.generator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.agentprm.api.run.RandomSource;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.expert.Planner;
import io.agentprm.env.alfworld.game.TaskType;
import io.agentprm.env.alfworld.household.Atom;
import io.agentprm.env.alfworld.household.Blueprint;
import io.agentprm.env.alfworld.household.Household;
import io.agentprm.env.alfworld.household.Names;
import io.agentprm.env.alfworld.household.Step;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Makes household games from a seed. A game depends on the options, its split and its number only:
 * not on which others are made, in which order, or on how many threads. Every game can be won, is
 * not won at the start, and carries a cheapest plan with full knowledge. Thread-safe.
 */
public final class HouseholdGenerator {
    private static final String DOMAIN = "household";
    private static final String PUTTING = "move %s to %s";
    private static final String TASK = "@TASK@";
    private static final int WORDINGS = 2;
    private static final int ATTEMPTS = 1000;

    private record Kind(TaskType type, RoomKind room) {}

    private final GeneratorOptions options;
    private final Weighted<Kind> kinds;
    private final Rooms rooms;
    private final Scenes scenes;
    private final Stocking stocking;
    private final RandomSource random;
    private final String domainText;
    private final String grammarText;
    private final ObjectMapper mapper = new ObjectMapper();

    /**
     * A generator.
     *
     * @throws AlfworldException if no wanted task type occurs in a wanted kind of room
     */
    public HouseholdGenerator(GeneratorOptions options) {
        this.options = options;
        this.rooms = Rooms.load();
        this.random = RandomSource.of(options.seed());
        this.scenes = new Scenes(rooms, options.receptacleLimit(), random.derive("scenes"));
        this.stocking = new Stocking(rooms, options.objectLimit());
        this.domainText = Texts.read("household.pddl");
        this.grammarText = Texts.read("household.twl2");
        this.kinds = kinds(rooms, options);
    }

    private static Weighted<Kind> kinds(Rooms rooms, GeneratorOptions options) {
        List<Weighted.Entry<Kind>> entries = new ArrayList<>();
        for (RoomKind room : RoomKind.values()) {
            for (Weighted.Entry<TaskType> task : rooms.tasks(room).entries()) {
                entries.add(new Weighted.Entry<>(new Kind(task.item(), room), task.weight()));
            }
        }
        Weighted<Kind> wanted =
                new Weighted<>(entries)
                        .where(
                                kind ->
                                        among(options.taskTypes(), kind.type())
                                                && among(options.rooms(), kind.room()));
        if (wanted.entries().isEmpty()) {
            throw new AlfworldException(
                    "no task of types "
                            + options.taskTypes()
                            + " occurs in rooms of kinds "
                            + options.rooms()
                            + "; name other task-types or rooms, or none for all");
        }
        return wanted;
    }

    private static <T> boolean among(List<T> wanted, T item) {
        return wanted.isEmpty() || wanted.contains(item);
    }

    public GeneratorOptions options() {
        return options;
    }

    /**
     * The game of that number, from 0. Numbers beyond the split's size are games too.
     *
     * @throws AlfworldException if the limits leave no room for any game
     */
    public GeneratedGame game(Split split, int index) {
        RandomSource source = random.derive("games").derive(split.label()).derive(index);
        Kind kind = kinds.draw(source.derive("kind").generator()).orElseThrow();
        for (long attempt = 0; attempt < ATTEMPTS; attempt++) {
            RandomGenerator draws = source.derive(attempt).generator();
            Optional<Draft> draft = stocking.stock(scene(kind, split, draws), kind.type(), draws);
            if (draft.isPresent()) {
                Optional<GeneratedGame> game = finish(draft.get(), split, index, draws);
                if (game.isPresent()) {
                    return game.get();
                }
            }
        }
        throw new AlfworldException(
                "no game of type "
                        + kind.type().label()
                        + " in a "
                        + kind.room().label()
                        + " found in "
                        + ATTEMPTS
                        + " attempts; raise max-receptacles, max-objects or the number of scenes");
    }

    /** Number of the generated game with that id or folder. */
    public static int indexOf(String id) {
        return Integer.parseInt(id.substring(id.lastIndexOf('_') + 1));
    }

    private Scene scene(Kind kind, Split split, RandomGenerator draws) {
        boolean unseen = split == Split.VALID_UNSEEN;
        int number = unseen ? options.unseenScenes() : options.trainScenes();
        return scenes.scene(kind.room(), unseen, draws.nextInt(number));
    }

    /** The game with its plan, unless it has none or needs none. */
    private Optional<GeneratedGame> finish(
            Draft draft, Split split, int index, RandomGenerator draws) {
        List<Atom> facts = draft.facts(rooms);
        Household household = Household.of(facts, draft.goal());
        Optional<List<Step>> plan = Planner.plan(household);
        if (plan.isEmpty() || plan.get().isEmpty()) {
            return Optional.empty();
        }
        Names names = Names.of(facts);
        List<String> walkthrough =
                plan.get().stream().map(step -> step.command(names, PUTTING)).toList();
        String name =
                String.format(
                        Locale.ROOT, "trial_G%d_%s_%06d", options.seed(), split.label(), index);
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("pddl_domain", domainText);
        content.put(
                "grammar",
                grammarText.replace(TASK, draft.goal().sentence(draws.nextInt(WORDINGS))));
        content.put(
                "pddl_problem",
                new Blueprint(
                                name,
                                DOMAIN,
                                draft.objects(),
                                facts,
                                GoalText.write(draft.type(), draft.pair()))
                        .text());
        content.put("solvable", true);
        content.put("walkthrough", walkthrough);
        return Optional.of(
                new GeneratedGame(draft.folder() + "/" + name, json(content), draft.goal()));
    }

    private String json(Map<String, Object> content) {
        try {
            return mapper.writeValueAsString(content);
        } catch (JsonProcessingException e) {
            throw new AlfworldException("a generated game cannot be written as JSON", e);
        }
    }

    /**
     * Writes the games of a split in the released layout, {@code
     * <root>/<split>/<task>/<trial>/game.tw-pddl}.
     *
     * @throws AlfworldException if a file cannot be written
     */
    public void write(Path root, Split split) {
        for (int index = 0; index < options.games(split); index++) {
            GeneratedGame game = game(split, index);
            Path folder = root.resolve(split.label()).resolve(game.folder());
            try {
                Files.createDirectories(folder);
                Files.write(
                        folder.resolve("game.tw-pddl"),
                        game.json().getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new AlfworldException(
                        "game cannot be written to " + folder + "; check space and permissions", e);
            }
        }
    }
}
