package io.agentprm.env.alfworld.game;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.generator.GeneratorOptions;
import io.agentprm.env.alfworld.generator.HouseholdGenerator;
import io.agentprm.env.alfworld.generator.Split;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data that cannot be used is refused with file, place and remedy. */
class BadDataTest {
    private static final String SPLIT = "valid_seen";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir Path data;

    private final HouseholdGenerator generator = new HouseholdGenerator(GeneratorOptions.small(1));

    @Test
    void wholeGamesAreLoadedSortedByPath() throws IOException {
        write("pick_and_place_simple-Mug-None-Desk-2/trial_b", game());
        write("pick_and_place_simple-Mug-None-Desk-2/trial_a", game());
        write("look_at_obj_in_light-Mug-None-DeskLamp-1/trial_c", game());
        assertEquals(
                List.of(
                        "valid_seen/look_at_obj_in_light-Mug-None-DeskLamp-1/trial_c",
                        "valid_seen/pick_and_place_simple-Mug-None-Desk-2/trial_a",
                        "valid_seen/pick_and_place_simple-Mug-None-Desk-2/trial_b"),
                load(GameFolder.Filter.NONE).stream().map(Game::id).toList());
    }

    @Test
    void gamesThatDoNotCountAreLeftOut() throws IOException {
        write("pick_and_place_simple-Mug-None-Desk-2/trial_a", game());
        write("pick_and_place_simple-AppleSliced-None-Desk-2/trial_b", game());
        write("pick_and_place_with_movable_recep-Mug-Box-Desk-2/trial_c", game());
        write("pick_and_place_simple-Mug-None-Desk-3/trial_d", game().put("solvable", false));
        write("pick_two_obj_and_place-Mug-None-Desk-3/trial_e", game());
        write("pick_two_obj_and_place-Mug-None-Desk-3/trial_f", game());
        GameFolder.Filter two = new GameFolder.Filter(Set.of(TaskType.PICK_TWO_OBJ_AND_PLACE), 1);
        assertEquals(1, load(two).size());
        assertEquals(3, load(GameFolder.Filter.NONE).size());
    }

    @Test
    void theTaskTypeComesFromTheTrajectoryWhereThereIsOne() throws IOException {
        Path trial = write("pick_and_place_simple-Mug-None-Desk-2/trial_a", game());
        Files.writeString(
                trial.resolve("traj_data.json"),
                """
                {"task_type": "pick_two_obj_and_place",
                 "turk_annotations": {"anns": [{"task_desc": "Tidy up; both of them."}]}}
                """);
        Game game = load(GameFolder.Filter.NONE).get(0);
        assertEquals(TaskType.PICK_TWO_OBJ_AND_PLACE, game.type());
        assertEquals(List.of("Tidy up; both of them."), game.humanGoals());
        String intro = game.openWithGoal(Engine.AUTO, game.humanGoals().get(0)).reset();
        assertTrue(intro.endsWith("\n\nYour task is to: Tidy up"), intro);
    }

    @Test
    void aFileThatIsCutOffIsNamedWithItsLine() throws IOException {
        Path trial = write("pick_and_place_simple-Mug-None-Desk-2/trial_a", game());
        Path file = trial.resolve("game.tw-pddl");
        Files.writeString(file, Files.readString(file).substring(0, 300));
        assertRefused(file.toString(), "line 1", "not JSON", "unpack it again");
    }

    @Test
    void aMissingFieldIsNamed() throws IOException {
        ObjectNode game = game();
        game.remove("pddl_problem");
        write("pick_and_place_simple-Mug-None-Desk-2/trial_a", game);
        assertRefused("game.tw-pddl", "'pddl_problem' is missing");
        game = game();
        game.remove("solvable");
        write("pick_and_place_simple-Mug-None-Desk-2/trial_a", game);
        assertRefused("game.tw-pddl", "'solvable' is missing");
    }

    @Test
    void anUnknownConstructOfTheDomainIsNamedWithItsPlace() throws IOException {
        ObjectNode game = game();
        String domain = game.get("pddl_domain").asText();
        game.put(
                "pddl_domain",
                domain.replaceFirst("\\(:action look", "(:derived (x))\n(:action look"));
        write("pick_and_place_simple-Mug-None-Desk-2/trial_a", game);
        assertRefused("pddl_domain, line", "':derived'", "supported are");
    }

    @Test
    void anUndeclaredObjectOfTheProblemIsNamedWithItsPlace() throws IOException {
        ObjectNode game = game();
        String problem = game.get("pddl_problem").asText();
        game.put(
                "pddl_problem",
                problem.replaceFirst("\\(:init", "(:init (pickupable Ghost_bar_1)"));
        write("pick_and_place_simple-Mug-None-Desk-2/trial_a", game);
        assertRefused("pddl_problem, line", "'ghost_bar_1' is not declared", "(:objects");
    }

    @Test
    void aMissingRuleOfTheGrammarIsNamed() throws IOException {
        ObjectNode game = game();
        game.put("grammar", game.get("grammar").asText().replace("\"contents\":", "\"content\":"));
        write("pick_and_place_simple-Mug-None-Desk-2/trial_a", game);
        assertRefused("grammar", "#contents# does not exist", "add it");
    }

    @Test
    void anUnknownTaskTypeListsThoseThatExist() throws IOException {
        write("juggle_three_objects-Mug-None-Desk-2/trial_a", game());
        assertRefused("'juggle_three_objects'", "pick_and_place_simple");
    }

    @Test
    void anEmptyFolderSaysWhereTheGamesBelong() {
        AlfworldException e = assertThrows(AlfworldException.class, () -> GameFolder.open(data));
        assertTrue(e.getMessage().contains("json_2.1.1/<split>"), e.getMessage());
        assertTrue(e.getMessage().contains("ALFWORLD_DATA"), e.getMessage());
    }

    @Test
    void aFolderThatDoesNotExistIsNamed() {
        Path nowhere = data.resolve("nowhere");
        AlfworldException e = assertThrows(AlfworldException.class, () -> GameFolder.open(nowhere));
        assertTrue(e.getMessage().startsWith(nowhere + " is not a folder"), e.getMessage());
    }

    @Test
    void anUnknownSplitListsThoseThatExist() throws IOException {
        write("pick_and_place_simple-Mug-None-Desk-2/trial_a", game());
        AlfworldException e =
                assertThrows(
                        AlfworldException.class,
                        () ->
                                GameFolder.open(data)
                                        .load("test", new GameReader(), GameFolder.Filter.NONE));
        assertTrue(e.getMessage().contains("those that exist: [valid_seen]"), e.getMessage());
    }

    @Test
    void otherFilesAreAnotherContent() throws IOException {
        write("pick_and_place_simple-Mug-None-Desk-2/trial_a", game());
        String before = GameFolder.open(data).contentHash(List.of(SPLIT), GameFolder.Filter.NONE);
        write("pick_and_place_simple-Mug-None-Desk-2/trial_a", game().put("note", "changed"));
        String after = GameFolder.open(data).contentHash(List.of(SPLIT), GameFolder.Filter.NONE);
        assertTrue(!before.equals(after));
    }

    private ObjectNode game() throws IOException {
        return (ObjectNode) JSON.readTree(generator.game(Split.TRAIN, 0).json());
    }

    private Path write(String folder, ObjectNode game) throws IOException {
        Path trial = data.resolve("json_2.1.1").resolve(SPLIT).resolve(folder);
        Files.createDirectories(trial);
        Files.writeString(trial.resolve("game.tw-pddl"), game.toString());
        return trial;
    }

    private List<Game> load(GameFolder.Filter filter) {
        return GameFolder.open(data).load(SPLIT, new GameReader(), filter);
    }

    private void assertRefused(String... parts) {
        AlfworldException e =
                assertThrows(AlfworldException.class, () -> load(GameFolder.Filter.NONE));
        for (String part : parts) {
            assertTrue(e.getMessage().contains(part), e.getMessage());
        }
    }
}
