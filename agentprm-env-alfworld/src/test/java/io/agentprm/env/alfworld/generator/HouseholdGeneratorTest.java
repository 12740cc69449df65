package io.agentprm.env.alfworld.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.game.TaskType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HouseholdGeneratorTest {
    private static final Pattern RECEPTACLE =
            Pattern.compile("\\(receptacleType [A-Z]\\S+ (\\S+)\\)");
    private static final Pattern CONTAINED = Pattern.compile("\\(inReceptacle [A-Z]\\S+ \\S+\\)");

    private final HouseholdGenerator standard =
            new HouseholdGenerator(GeneratorOptions.standard(7));
    private final HouseholdGenerator small = new HouseholdGenerator(GeneratorOptions.small(7));

    @Test
    void aGameDependsOnSeedSplitAndNumberOnly() {
        List<GeneratedGame> forwards =
                IntStream.range(0, 40).mapToObj(i -> standard.game(Split.TRAIN, i)).toList();

        HouseholdGenerator again =
                new HouseholdGenerator(GeneratorOptions.standard(7).withGames(1, 1, 1));
        for (int i = 39; i >= 0; i--) {
            assertEquals(forwards.get(i), again.game(Split.TRAIN, i));
        }
    }

    @Test
    void threadsDoNotChangeGames() {
        List<GeneratedGame> serial =
                IntStream.range(0, 60).mapToObj(i -> small.game(Split.VALID_SEEN, i)).toList();
        HouseholdGenerator shared = new HouseholdGenerator(GeneratorOptions.small(7));

        List<GeneratedGame> parallel =
                IntStream.range(0, 60)
                        .parallel()
                        .mapToObj(i -> shared.game(Split.VALID_SEEN, i))
                        .toList();

        assertEquals(serial, parallel);
    }

    @Test
    void anotherSeedGivesOtherGames() {
        GeneratedGame other =
                new HouseholdGenerator(GeneratorOptions.standard(8)).game(Split.TRAIN, 0);

        assertNotEquals(standard.game(Split.TRAIN, 0).json(), other.json());
    }

    @Test
    void noUnseenLayoutOccursInTrainingWhateverTheSeed() throws Exception {
        for (HouseholdGenerator generator : List.of(standard, small)) {
            Set<String> trained = new HashSet<>();
            for (int i = 0; i < 300; i++) {
                trained.add(layout(generator.game(Split.TRAIN, i)));
            }
            Set<String> unseen = new HashSet<>();
            HouseholdGenerator otherSeed =
                    new HouseholdGenerator(
                            generator == small
                                    ? GeneratorOptions.small(99)
                                    : GeneratorOptions.standard(99));
            for (int i = 0; i < 100; i++) {
                unseen.add(layout(generator.game(Split.VALID_UNSEEN, i)));
                unseen.add(layout(otherSeed.game(Split.VALID_UNSEEN, i)));
            }

            unseen.retainAll(trained);

            assertEquals(Set.of(), unseen);
        }
    }

    @Test
    void seenGamesAreNewGamesInTrainingScenes() throws Exception {
        HouseholdGenerator generator =
                new HouseholdGenerator(GeneratorOptions.small(3).withScenes(5, 5));
        Map<String, String> training = new TreeMap<>();
        Set<String> problems = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            GeneratedGame game = generator.game(Split.TRAIN, i);
            training.put(sceneNumber(game), layout(game));
            problems.add(afterName(game));
        }
        for (int i = 0; i < 50; i++) {
            GeneratedGame game = generator.game(Split.VALID_SEEN, i);
            assertEquals(training.get(sceneNumber(game)), layout(game));
            assertTrue(problems.add(afterName(game)), "a seen game repeats a training game");
        }
    }

    @Test
    void limitsHold() throws Exception {
        for (int i = 0; i < 100; i++) {
            String problem = problem(small.game(Split.TRAIN, i));
            assertTrue(count(RECEPTACLE, problem) <= 9);
            assertTrue(count(CONTAINED, problem) <= 12);
        }
        HouseholdGenerator own =
                new HouseholdGenerator(GeneratorOptions.standard(1).withLimits(14, 20));
        for (int i = 0; i < 100; i++) {
            String problem = problem(own.game(Split.TRAIN, i));
            assertTrue(count(RECEPTACLE, problem) <= 14);
            assertTrue(count(CONTAINED, problem) <= 20);
        }
    }

    @Test
    void standardRoomsAreAsCrowdedAsTheReleasedOnes() throws Exception {
        double receptacles = 0;
        double things = 0;
        int games = 300;
        for (int i = 0; i < games; i++) {
            String problem = problem(standard.game(Split.TRAIN, i));
            receptacles += count(RECEPTACLE, problem);
            things += count(CONTAINED, problem);
        }

        assertEquals(23.5, receptacles / games, 3);
        assertEquals(32, things / games, 5);
    }

    @Test
    void allSixTaskTypesOccurInTheirProportions() {
        Map<TaskType, Integer> counts = new EnumMap<>(TaskType.class);
        for (int i = 0; i < 600; i++) {
            counts.merge(small.game(Split.TRAIN, i).goal().type(), 1, Integer::sum);
        }

        assertEquals(TaskType.values().length, counts.size());
        assertEquals(813 / 3553.0, counts.get(TaskType.PICK_TWO_OBJ_AND_PLACE) / 600.0, 0.06);
    }

    @Test
    void taskTypesAndRoomsCanBeChosen() {
        HouseholdGenerator generator =
                new HouseholdGenerator(
                        GeneratorOptions.small(1)
                                .only(
                                        List.of(
                                                TaskType.PICK_HEAT_THEN_PLACE_IN_RECEP,
                                                TaskType.PICK_AND_PLACE_SIMPLE),
                                        List.of(RoomKind.KITCHEN)));
        for (int i = 0; i < 50; i++) {
            TaskType type = generator.game(Split.TRAIN, i).goal().type();
            assertTrue(
                    type == TaskType.PICK_HEAT_THEN_PLACE_IN_RECEP
                            || type == TaskType.PICK_AND_PLACE_SIMPLE);
        }
    }

    @Test
    void anImpossibleChoiceIsRefusedAtOnce() {
        GeneratorOptions heatingInBedrooms =
                GeneratorOptions.small(1)
                        .only(
                                List.of(TaskType.PICK_HEAT_THEN_PLACE_IN_RECEP),
                                List.of(RoomKind.BEDROOM));

        AlfworldException refused =
                assertThrows(
                        AlfworldException.class, () -> new HouseholdGenerator(heatingInBedrooms));

        assertTrue(refused.getMessage().contains("task-types"));
    }

    @Test
    void gamesAreWrittenInTheReleasedLayout(@TempDir Path root) throws Exception {
        HouseholdGenerator generator =
                new HouseholdGenerator(GeneratorOptions.small(1).withGames(0, 0, 3));

        generator.write(root, Split.VALID_UNSEEN);

        GeneratedGame first = generator.game(Split.VALID_UNSEEN, 0);
        Path file = root.resolve("valid_unseen").resolve(first.folder()).resolve("game.tw-pddl");
        assertEquals(first.json(), Files.readString(file));
        assertTrue(
                first.folder()
                        .matches(
                                "[a-z_]+-[A-Za-z]+-None-[A-Za-z]+-\\d+/trial_G1_valid_unseen_000000"),
                first.folder());
    }

    private static String sceneNumber(GeneratedGame game) {
        String task = game.folder().substring(0, game.folder().indexOf('/'));
        return task.substring(task.lastIndexOf('-') + 1);
    }

    private static String problem(GeneratedGame game) throws Exception {
        return json(game).get("pddl_problem").asText();
    }

    private static JsonNode json(GeneratedGame game) throws Exception {
        return new ObjectMapper().readTree(game.json());
    }

    private static String afterName(GeneratedGame game) throws Exception {
        String problem = problem(game);
        return problem.substring(problem.indexOf("(:domain"));
    }

    private static String layout(GeneratedGame game) throws Exception {
        Map<String, Integer> counts = new TreeMap<>();
        Matcher matcher = RECEPTACLE.matcher(problem(game));
        while (matcher.find()) {
            counts.merge(matcher.group(1), 1, Integer::sum);
        }
        return counts.toString();
    }

    private static int count(Pattern pattern, String text) {
        return (int) pattern.matcher(text).results().count();
    }
}
