package io.agentprm.env.alfworld.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.agentprm.env.alfworld.AlfworldException;
import io.agentprm.env.alfworld.game.Engine;
import io.agentprm.env.alfworld.game.GameReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Replays recordings of the reference engine and compares every observation, list of admissible
 * commands, {@code won}, {@code done} and {@code score}. A game that is missing or cannot be read,
 * and a recording that lacks a field, count as a mismatch. A file that is empty, cut off or no
 * recording at all is refused: it says nothing about the engine.
 *
 * <p>Accepted are JSON Lines with one game a line ({@code {game, reset: {obs, admissible, won},
 * traces: {name: [{cmd, obs, admissible, won, done, score}]}}}), recordings of the batch interface
 * ({@code {games, seed, max_episode_steps, episodes}}), and vectors of the game order ({@code
 * {"seed=S,n=N": {first_pass, second_pass}}}); each may be compressed with gzip.
 */
public final class RecordingCheck {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final GameFinder games;
    private final Engine engine;
    private final Tally tally;
    private final PrintStream out;

    private RecordingCheck(Path data, Engine engine, PrintStream out) {
        this.games = new GameFinder(data, new GameReader());
        this.engine = engine;
        this.tally = new Tally(out);
        this.out = out;
    }

    /**
     * What a check found.
     *
     * @param comparisons values compared
     * @param mismatches values that differ, and games or lines that could not be compared
     */
    public record Result(long comparisons, long mismatches) {
        /** Nothing differs. */
        public boolean clean() {
            return mismatches == 0;
        }

        @Override
        public String toString() {
            return comparisons + " comparisons, " + mismatches + " mismatches";
        }
    }

    /**
     * Checks recordings with the engine that the product uses.
     *
     * @param data the folder that contains {@code json_2.1.1}, or that folder itself, or one whose
     *     subfolders contain it
     * @param recordings files to replay
     * @param out gets the first difference of each game and a last line {@code N comparisons, M
     *     mismatches}
     */
    public static Result run(Path data, List<Path> recordings, PrintStream out) {
        return run(data, recordings, Engine.AUTO, out);
    }

    /** The same with a given engine. */
    public static Result run(Path data, List<Path> recordings, Engine engine, PrintStream out) {
        RecordingCheck check = new RecordingCheck(data, engine, out);
        recordings.forEach(check::check);
        Result result = check.tally.result();
        out.println(result);
        return result;
    }

    private void check(Path recording) {
        if (!Files.isRegularFile(recording)) {
            throw new AlfworldException(
                    recording
                            + (Files.isDirectory(recording)
                                    ? " is a directory; name the files in it"
                                    : " does not exist; check the path"));
        }
        int number = 0;
        try (BufferedReader lines = open(recording)) {
            StringBuilder rest = new StringBuilder();
            boolean lineByLine = true;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (number == 1) {
                    lineByLine = isWhole(line);
                }
                if (!lineByLine) {
                    rest.append(line).append('\n');
                } else if (!line.isBlank()) {
                    checkLine(recording + ", line " + number, line);
                }
            }
            if (!lineByLine) {
                checkLine(recording.toString(), rest.toString());
            }
            if (number == 0) {
                throw new AlfworldException(recording + " is empty; record it again");
            }
        } catch (IOException e) {
            throw new AlfworldException(
                    recording
                            + ", line "
                            + (number + 1)
                            + ": cannot be read ("
                            + e.getMessage()
                            + "); the file may be cut off or damaged: fetch it again",
                    e);
        }
    }

    private static boolean isWhole(String line) {
        try {
            JSON.readTree(line);
            return true;
        } catch (JsonProcessingException e) {
            return line.strip().length() > 1;
        }
    }

    private static BufferedReader open(Path file) throws IOException {
        InputStream stream = Files.newInputStream(file);
        InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(stream) : stream;
        return new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8));
    }

    private void checkLine(String where, String text) {
        JsonNode json = parsed(where, text);
        try {
            if (json.has("episodes")) {
                new BatchReplay(games, engine, tally).replay(where, json);
            } else if (json.has("game")) {
                new TraceReplay(games, engine, tally).replay(where, json);
            } else {
                new OrderReplay(tally).replay(where, json);
            }
        } catch (AlfworldException e) {
            tally.failure(where, e.getMessage());
        }
    }

    private static JsonNode parsed(String where, String text) {
        JsonNode json;
        try {
            json = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AlfworldException(
                    where
                            + ": not JSON ("
                            + e.getOriginalMessage()
                            + "); the file may be cut off: fetch it again",
                    e);
        }
        if (!json.has("episodes") && !json.has("game") && !OrderReplay.accepts(json)) {
            throw new AlfworldException(
                    where
                            + ": no recording: the fields game, reset and traces are expected; check"
                            + " which file this is");
        }
        return json;
    }
}
