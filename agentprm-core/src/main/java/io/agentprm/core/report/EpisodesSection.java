package io.agentprm.core.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.trajectory.Candidate;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import io.agentprm.core.RunException;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;

/** Data of the trajectory viewer, which report.js draws. */
final class EpisodesSection {
    private EpisodesSection() {}

    static void write(Html html, List<SampleEpisode> episodes) {
        html.element("noscript", "The viewer needs JavaScript; nothing else on this page does.");
        html.open("div", "id", "viewer").close("div").line();
        html.open("script", "type", "application/json", "id", "episode-data")
                .trusted(inScript(json(episodes)))
                .close("script")
                .line();
    }

    /** JSON that cannot end the script element it stands in, whatever its strings hold. */
    static String inScript(String json) {
        return json.replace("&", "\\u0026")
                .replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }

    private static String json(List<SampleEpisode> episodes) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartArray();
            for (SampleEpisode episode : episodes) {
                episode(json, episode);
            }
            json.writeEndArray();
        } catch (IOException e) {
            throw new RunException("cannot write the episodes of the report", e);
        }
        return text.toString();
    }

    private static void episode(JsonGenerator json, SampleEpisode episode) throws IOException {
        Trajectory trajectory = episode.trajectory();
        json.writeStartObject();
        json.writeStringField("label", episode.label());
        json.writeStringField("task", trajectory.id().toString());
        json.writeStringField("category", trajectory.task().category());
        json.writeStringField("policy", trajectory.policyId());
        json.writeStringField("instruction", trajectory.instruction());
        json.writeStringField("end", end(trajectory.end()));
        json.writeBooleanField("success", trajectory.success());
        json.writeStringField("scale", episode.scale().name().toLowerCase(Locale.ROOT));
        json.writeStringField("final", trajectory.finalObservation().text());
        json.writeArrayFieldStart("turns");
        for (Turn turn : trajectory.turns()) {
            turn(json, turn);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void turn(JsonGenerator json, Turn turn) throws IOException {
        json.writeStartObject();
        json.writeStringField("observation", turn.observation().text());
        json.writeStringField("action", turn.decision().action().text());
        if (turn.decision().reason().isPresent()) {
            json.writeStringField("reason", turn.decision().reason().get());
        }
        if (!turn.decision().deliberate()) {
            json.writeBooleanField("exploratory", true);
        }
        if (turn.decision().parseFailure().isPresent()) {
            json.writeStringField(
                    "problem", "no action found: " + turn.decision().parseFailure().get());
        } else if (turn.feedback() instanceof ActionFeedback.Invalid invalid) {
            json.writeStringField("problem", "invalid action: " + invalid.reason());
        }
        json.writeNumberField("reward", turn.reward());
        json.writeArrayFieldStart("candidates");
        for (Candidate candidate : turn.decision().candidates()) {
            json.writeStartObject();
            json.writeStringField("action", candidate.action());
            json.writeNumberField("count", candidate.count());
            // JSON knows no NaN; a score that is not a number is shown as missing.
            if (candidate.score().isPresent() && Double.isFinite(candidate.score().getAsDouble())) {
                json.writeNumberField("score", candidate.score().getAsDouble());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static String end(EpisodeEnd end) {
        if (end instanceof EpisodeEnd.Terminated terminated) {
            String reason = terminated.reason().name().toLowerCase(Locale.ROOT).replace('_', ' ');
            return (terminated.success() ? "success" : "failure") + " (" + reason + ")";
        }
        if (end instanceof EpisodeEnd.Truncated truncated) {
            return "truncated (" + truncated.cause() + ")";
        }
        return "aborted (" + ((EpisodeEnd.Aborted) end).cause() + ")";
    }
}
