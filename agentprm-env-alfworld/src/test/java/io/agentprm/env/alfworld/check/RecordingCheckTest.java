package io.agentprm.env.alfworld.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.engine.GameSession;
import io.agentprm.env.alfworld.game.GameReader;
import io.agentprm.env.alfworld.generator.GeneratedGame;
import io.agentprm.env.alfworld.generator.GeneratorOptions;
import io.agentprm.env.alfworld.generator.HouseholdGenerator;
import io.agentprm.env.alfworld.generator.Split;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** A check counts what differs, and whatever it could not compare. */
class RecordingCheckTest {
    @TempDir Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private ObjectNode recording;

    @BeforeEach
    void recordOneStep() throws IOException {
        GeneratedGame game = new HouseholdGenerator(GeneratorOptions.small(1)).game(Split.TRAIN, 0);
        Path trial = folder.resolve("json_2.1.1/train").resolve(game.folder());
        Files.createDirectories(trial);
        Files.writeString(trial.resolve("game.tw-pddl"), game.json());
        GameSession session = new GameReader().readFolder("train/" + game.folder(), trial).open();
        recording = new ObjectMapper().createObjectNode();
        recording.put("game", "train/" + game.folder());
        ObjectNode reset = recording.putObject("reset");
        reset.put("obs", session.reset());
        addState(reset, session);
        ObjectNode step =
                recording.putObject("traces").putArray("one").addObject().put("cmd", "look");
        step.put("obs", session.step("look")).put("done", false).put("score", 0);
        addState(step, session);
    }

    @Test
    void whatIsTheSameIsCounted() throws IOException {
        assertEquals("8 comparisons, 0 mismatches", check(recording.toString()).toString());
        assertEquals("8 comparisons, 0 mismatches\n", text());
    }

    @Test
    void theFirstDifferenceOfAGameIsPrintedAndAllAreCounted() throws IOException {
        ObjectNode step = (ObjectNode) recording.at("/traces/one/0");
        step.put("obs", "You see a unicorn.").put("won", true);
        assertEquals(2, check(recording.toString()).mismatches());
        assertTrue(text().contains("expected You see a unicorn."), this::text);
        assertEquals(1, text().split("expected", -1).length - 1);
    }

    @Test
    void aGameThatIsMissingIsAMismatch() throws IOException {
        recording.put("game", "train/pick_and_place_simple-Mug-None-Desk-9/trial_x");
        assertEquals(1, check(recording.toString()).mismatches());
        assertTrue(text().contains("trial_x is not below"), this::text);
    }

    @Test
    void aRecordingThatLacksAFieldIsAMismatch() throws IOException {
        assertEquals(1, check(recording + "\n{\"game\": \"x\"}").mismatches());
        assertTrue(text().contains("line 2: field 'reset' is missing"), this::text);
    }

    @Test
    void aFileThatIsNoRecordingIsRefusedWithItsPlace() throws IOException {
        String whole = recording.toString();
        refused(() -> check(""), "recording.jsonl is empty");
        refused(() -> check(whole.substring(0, 200)), "not JSON");
        refused(() -> check(whole + "\n[1]"), "line 2: no recording");
        refused(
                () -> RecordingCheck.run(folder, List.of(folder.resolve("none.gz")), out()),
                "none.gz does not exist");
        refused(() -> RecordingCheck.run(folder, List.of(folder), out()), "is a directory");
        Path plain = Files.writeString(folder.resolve("plain.jsonl.gz"), whole);
        refused(
                () -> RecordingCheck.run(folder, List.of(plain), out()),
                "plain.jsonl.gz, line 1: cannot be read");
    }

    private static void refused(Executable check, String what) {
        AlfworldException e = assertThrows(AlfworldException.class, check);
        assertTrue(e.getMessage().contains(what), e.getMessage());
    }

    private static void addState(ObjectNode node, GameSession session) {
        ArrayNode admissible = node.putArray("admissible");
        session.admissible().forEach(admissible::add);
        node.put("won", session.won());
    }

    private RecordingCheck.Result check(String lines) throws IOException {
        Path file = Files.writeString(folder.resolve("recording.jsonl"), lines);
        return RecordingCheck.run(folder, List.of(file), out());
    }

    private PrintStream out() {
        return new PrintStream(printed, true, StandardCharsets.UTF_8);
    }

    private String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
