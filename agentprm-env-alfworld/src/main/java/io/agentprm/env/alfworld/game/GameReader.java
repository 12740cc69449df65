package io.agentprm.env.alfworld.game;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.agentprm.api.IoReasons;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.engine.CompiledWorld;
import io.agentprm.env.alfworld.pddl.Problem;
import io.agentprm.env.alfworld.pddl.ProblemReader;
import io.agentprm.env.alfworld.pddl.Source;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads games. One reader shares what its games have in common. Thread-safe. */
public final class GameReader {
    /** Name of the file of a game in its trial folder. */
    public static final String GAME_FILE = "game.tw-pddl";

    static final String TRAJECTORY_FILE = "traj_data.json";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Library library = new Library();

    /**
     * Reads the game of a trial folder, with its {@code traj_data.json} if there is one.
     *
     * @param id of the game, {@code <split>/<task folder>/<trial folder>}
     * @throws AlfworldException naming file, place and remedy
     */
    public Game readFolder(String id, Path folder) {
        Path file = folder.resolve(GAME_FILE);
        Path trajectory = folder.resolve(TRAJECTORY_FILE);
        Annotations annotations =
                Files.exists(trajectory)
                        ? annotations(trajectory)
                        : new Annotations(typeOfFolder(id, file.toString()), List.of());
        return read(id, file.toString(), bytes(file), annotations);
    }

    /**
     * Reads a game from the text of a {@code game.tw-pddl}.
     *
     * @param id of the game; its task folder tells the type of the task
     */
    public Game read(String id, String json) {
        return read(
                id,
                id,
                json.getBytes(StandardCharsets.UTF_8),
                new Annotations(typeOfFolder(id, id), List.of()));
    }

    /** Task type and what people said about the task. */
    private record Annotations(TaskType type, List<String> goals) {}

    private Game read(String id, String file, byte[] bytes, Annotations annotations) {
        JsonNode json = parse(file, bytes);
        Source domainText = source(file, json, "pddl_domain");
        Library.SharedDomain domain = library.domain(domainText);
        Source grammarText = source(file, json, "grammar");
        Library.SharedGrammar grammar = library.grammar(grammarText, domain);
        Problem problem =
                ProblemReader.read(
                        source(file, json, "pddl_problem"), domain.domain(), library::intern);
        JsonNode solvable = required(file, json, "solvable");
        if (!solvable.isBoolean()) {
            throw new AlfworldException(file + ": field 'solvable' must be true or false");
        }
        return new Game(
                id,
                annotations.type(),
                domain.domain(),
                grammar.grammar(),
                problem,
                grammar.taskSentence().orElse(""),
                solvable.booleanValue(),
                walkthrough(file, json.path("walkthrough")),
                annotations.goals(),
                Hashes.sha256(bytes),
                CompiledWorld.compile(domain.hash(), grammar.hash(), problem));
    }

    private List<String> walkthrough(String file, JsonNode json) {
        List<String> commands = new ArrayList<>();
        if (json.isMissingNode() || json.isNull()) {
            return commands;
        }
        for (JsonNode command : json) {
            if (!command.isTextual()) {
                throw new AlfworldException(file + ": field 'walkthrough' must list commands");
            }
            commands.add(library.intern(command.textValue()));
        }
        return commands;
    }

    private static Annotations annotations(Path file) {
        JsonNode json = parse(file.toString(), bytes(file));
        JsonNode type = required(file.toString(), json, "task_type");
        List<String> goals = new ArrayList<>();
        for (JsonNode annotation : json.path("turk_annotations").path("anns")) {
            String goal = annotation.path("task_desc").asText("").strip();
            if (!goal.isEmpty()) {
                goals.add(goal);
            }
        }
        return new Annotations(TaskType.of(type.asText(), file.toString()), goals);
    }

    /** {@code <task type>-<object>-<movable>-<place>-<scene>} stands before the trial. */
    private static TaskType typeOfFolder(String id, String where) {
        String[] parts = id.split("/");
        String folder = parts.length < 2 ? id : parts[parts.length - 2];
        int dash = folder.indexOf('-');
        return TaskType.of(dash < 0 ? folder : folder.substring(0, dash), where);
    }

    private static Source source(String file, JsonNode json, String field) {
        JsonNode text = required(file, json, field);
        if (!text.isTextual()) {
            throw new AlfworldException(file + ": field '" + field + "' must be a string");
        }
        return new Source(file + ", " + field, text.textValue());
    }

    private static JsonNode required(String file, JsonNode json, String field) {
        JsonNode value = json.path(field);
        if (value.isMissingNode() || value.isNull()) {
            throw new AlfworldException(
                    file + ": field '" + field + "' is missing; unpack the released games again");
        }
        return value;
    }

    static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new AlfworldException(file + " cannot be read: " + IoReasons.of(e), e);
        }
    }

    private static JsonNode parse(String file, byte[] bytes) {
        try {
            JsonNode json = JSON.readTree(bytes);
            if (!json.isObject()) {
                throw new AlfworldException(file + ": not a JSON object; unpack it again");
            }
            return json;
        } catch (JsonProcessingException e) {
            throw new AlfworldException(
                    file
                            + ", line "
                            + e.getLocation().getLineNr()
                            + ", column "
                            + e.getLocation().getColumnNr()
                            + ": not JSON ("
                            + e.getOriginalMessage()
                            + "); the file may be cut off, unpack it again",
                    e);
        } catch (IOException e) {
            throw new AlfworldException(
                    file + ": not JSON: " + IoReasons.of(e) + "; unpack it again", e);
        }
    }
}
