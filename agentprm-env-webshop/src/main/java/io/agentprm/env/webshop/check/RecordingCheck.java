package io.agentprm.env.webshop.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.agentprm.api.IoReasons;
import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.reward.NounExtractor;
import io.agentprm.env.webshop.suite.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.zip.GZIPInputStream;

/**
 * Replays recordings of the original and compares everything that they hold. A case that lacks a
 * field, or that cannot be replayed, counts as a mismatch. A file that is empty, cut off or no
 * recording at all is refused: it says nothing about the environment.
 *
 * <p>Accepted are, compressed with gzip or not, episodes ({@code {episodes: [{goal, initial,
 * steps}]}}), rewards ({@code {cases: [{purchased_asin, price, options, goal, reward, info}]}}),
 * rankings ({@code {queries: [{query, total, hits}]}}), similarities ({@code {cases: [{a, b,
 * difflib, levenshtein}], tuple_cases}}) and colours ({@code [{input, output}]}).
 */
public final class RecordingCheck {
    private final Reference reference;
    private final Tally tally;

    private RecordingCheck(Reference reference, Tally tally) {
        this.reference = reference;
        this.tally = tally;
    }

    /**
     * What a check found.
     *
     * @param comparisons values compared
     * @param mismatches values that differ, and cases that could not be compared
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
     * Checks recordings.
     *
     * @param data folder with the original's files
     * @param storage where the products are kept meanwhile
     * @param nouns extractor that the recordings were made with
     * @param recordings files to replay
     * @param out gets every difference and a last line {@code N comparisons, M mismatches}
     * @throws WebshopException if a file cannot be read or is no recording
     */
    public static Result run(
            Path data,
            Storage storage,
            NounExtractor nouns,
            List<Path> recordings,
            PrintStream out) {
        Tally tally = new Tally(out);
        try (Reference reference = new Reference(data, storage, nouns)) {
            RecordingCheck check = new RecordingCheck(reference, tally);
            recordings.forEach(check::check);
        }
        out.println(tally.result());
        return tally.result();
    }

    private void check(Path recording) {
        JsonNode json = read(recording);
        String name = recording.getFileName().toString();
        if (json.path("episodes").isArray()) {
            EpisodeReplay replay = new EpisodeReplay(reference, tally);
            each(name + ", episode ", json.path("episodes"), replay::replay);
        } else if (json.path("queries").isArray()) {
            String description = json.path("description").asText("") + " " + name;
            RankingReplay replay = new RankingReplay(reference, description, tally);
            each(name + ", query ", json.path("queries"), replay::replay);
        } else if (json.path("cases").isArray() && json.path("cases").path(0).has("goal")) {
            RewardReplay replay = new RewardReplay(reference, tally);
            each(name + ", case ", json.path("cases"), replay::replay);
        } else if (json.path("cases").isArray() && json.path("cases").path(0).has("a")) {
            TextReplay replay = new TextReplay(tally);
            each(name + ", case ", json.path("cases"), replay::replayRatio);
            each(name + ", tuple case ", json.path("tuple_cases"), replay::replayRatio);
        } else if (json.path(0).has("input")) {
            each(name + ", case ", json, new TextReplay(tally)::replayColor);
        } else {
            throw new WebshopException(
                    recording
                            + ": no recording: episodes, queries or cases are expected; check which"
                            + " file this is");
        }
    }

    private void each(String where, JsonNode cases, BiConsumer<String, JsonNode> replay) {
        int number = 0;
        for (JsonNode one : cases) {
            String place = where + one.path("id").asText(Integer.toString(number));
            number++;
            try {
                replay.accept(place, one);
            } catch (WebshopException e) {
                tally.failure(place, e.getMessage());
            }
        }
    }

    private static JsonNode read(Path file) {
        try (InputStream raw = Files.newInputStream(file);
                InputStream plain =
                        file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
            JsonNode json = new ObjectMapper().readTree(plain);
            if (json.isMissingNode()) {
                throw new WebshopException(file + " is empty; record it again");
            }
            return json;
        } catch (JsonProcessingException e) {
            throw new WebshopException(
                    file
                            + ": not JSON ("
                            + e.getOriginalMessage()
                            + "); the file may be cut off: fetch it again",
                    e);
        } catch (IOException e) {
            throw new WebshopException(file + " cannot be read: " + IoReasons.of(e), e);
        }
    }
}
