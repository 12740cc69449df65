package io.agentprm.core.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.agentprm.api.IoReasons;
import io.agentprm.api.env.Action;
import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Task;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import io.agentprm.core.RunException;
import io.agentprm.core.json.Fields;
import io.agentprm.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads trajectories as the released agent_prm code writes them: a folder with one file per
 * episode, {@code 12.json}, each {@code {"gamefile", "task", "trajectory": [{"observation",
 * "candidate_actions", "reason", "action", "score"}]}}.
 *
 * <p>What that format does not say is filled in as follows. The task's id is the game file; where
 * its path has the form {@code split/category-.../trial/file}, split and category come from it,
 * else they are {@code imported} and {@code unknown}. Files are taken in the order of their
 * numbers, and several of one game are numbered as attempts. The outcome is the last score; 1 is
 * success, anything less a failure. An action outside the candidates counts as invalid. There is no
 * observation after the last action, so it is empty.
 */
public final class AgentPrmImport {
    private final ObjectMapper mapper = Json.mapper();
    private final OnCorrupt onCorrupt;

    public AgentPrmImport(OnCorrupt onCorrupt) {
        this.onCorrupt = onCorrupt;
    }

    /**
     * Reads a folder.
     *
     * @throws StoreException if there is no episode in it, or one is corrupt and the import shall
     *     fail
     */
    public ReadResult<Trajectory> read(Path folder) {
        List<Path> files = files(folder);
        if (files.isEmpty()) {
            throw new StoreException(
                    folder, 0, "holds no episodes: files such as 0.json are expected");
        }
        List<Trajectory> episodes = new ArrayList<>();
        List<String> skipped = new ArrayList<>();
        Map<String, Integer> attempts = new HashMap<>();
        for (Path file : files) {
            try {
                Fields fields = Fields.of(mapper.readTree(Files.readString(file)), "");
                String game = fields.text("gamefile");
                episodes.add(episode(fields, game, attempts.getOrDefault(game, 0)));
                attempts.merge(game, 1, Integer::sum);
            } catch (IOException | RunException e) {
                String message =
                        e instanceof JsonProcessingException json
                                ? json.getOriginalMessage()
                                : String.valueOf(e.getMessage());
                long line =
                        e instanceof JsonProcessingException json && json.getLocation() != null
                                ? json.getLocation().getLineNr()
                                : 0;
                StoreException error = new StoreException(file, line, "is corrupt: " + message, e);
                if (onCorrupt == OnCorrupt.FAIL) {
                    throw error;
                }
                skipped.add(error.getMessage());
            }
        }
        return new ReadResult<>(episodes, skipped);
    }

    private static List<Path> files(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(
                            path -> path.getFileName().toString().matches("[0-9]{1,18}\\.json"))
                    .sorted(
                            Comparator.comparingLong(
                                    path ->
                                            Long.parseLong(
                                                    path.getFileName()
                                                            .toString()
                                                            .replace(".json", ""))))
                    .toList();
        } catch (IOException e) {
            throw new StoreException(folder, 0, "cannot be listed: " + IoReasons.of(e), e);
        }
    }

    private static Trajectory episode(Fields fields, String game, int attempt) {
        List<Fields> entries = fields.objects("trajectory");
        if (entries.isEmpty()) {
            throw fields.error("trajectory: at least one turn is expected");
        }
        Trajectory.Builder builder =
                Trajectory.builder(task(game), fields.text("task"))
                        .episode(attempt)
                        .policyId("imported");
        double score = 0;
        for (Fields entry : entries) {
            score = entry.number("score");
            builder.add(turn(entry, score));
        }
        if (!(score >= 0 && score <= 1)) {
            throw fields.error("trajectory: the last score must lie in [0, 1], was " + score);
        }
        boolean success = score == 1;
        return builder.end(
                Observation.text(""),
                new EpisodeEnd.Terminated(
                        success ? EpisodeEnd.Reason.GOAL : EpisodeEnd.Reason.FAILURE,
                        score,
                        success));
    }

    private static Turn turn(Fields entry, double score) {
        String action = entry.text("action");
        String reason = entry.optionalText("reason").orElse("");
        Decision.Builder decision = Decision.builder(Action.text(action));
        if (!reason.isEmpty()) {
            decision.reason(reason).text("REASON:\n" + reason + "\nACTION:\n" + action);
        }
        Observation observation = Observation.text(entry.text("observation"));
        Optional<List<String>> candidates = entry.texts("candidate_actions");
        boolean valid = candidates.isEmpty() || candidates.get().contains(action);
        return Turn.of(
                candidates.map(observation::withAdmissibleActions).orElse(observation),
                decision.build(),
                valid
                        ? new ActionFeedback.Valid()
                        : new ActionFeedback.Invalid("not among the candidate actions"),
                score);
    }

    private static Task task(String game) {
        String[] parts = game.replace('\\', '/').split("/");
        int n = parts.length;
        if (n >= 4 && parts[n - 3].contains("-")) {
            String category = parts[n - 3].substring(0, parts[n - 3].indexOf('-'));
            return Task.of(game, parts[n - 4], category);
        }
        return Task.of(game, "imported", "unknown");
    }
}
