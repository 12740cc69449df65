package io.agentprm.core.store;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.env.Action;
import io.agentprm.api.env.ActionFeedback;
import io.agentprm.api.env.EpisodeEnd;
import io.agentprm.api.env.Observation;
import io.agentprm.api.env.Part;
import io.agentprm.api.env.Task;
import io.agentprm.api.trajectory.Candidate;
import io.agentprm.api.trajectory.Decision;
import io.agentprm.api.trajectory.SampledTokens;
import io.agentprm.api.trajectory.Trajectory;
import io.agentprm.api.trajectory.Turn;
import io.agentprm.core.RunException;
import io.agentprm.core.json.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Schema 1 of trajectories; docs/trajectory-schema.md describes it. */
final class TrajectoryCodec implements Codec<Trajectory> {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String TYPE = "type";

    @Override
    public ObjectNode encode(Trajectory trajectory) {
        ObjectNode node = NODES.objectNode();
        Task task = trajectory.task();
        ObjectNode taskNode = node.putObject("task");
        taskNode.put("id", task.id()).put("split", task.split()).put("category", task.category());
        if (!task.attributes().isEmpty()) {
            taskNode.set("attributes", textMap(task.attributes()));
        }
        node.put("episode", trajectory.episode());
        node.put("seed", Long.toString(trajectory.seed()));
        node.put("policy", trajectory.policyId());
        node.put("instruction", trajectory.instruction());
        ArrayNode turns = node.putArray("turns");
        for (Turn turn : trajectory.turns()) {
            turns.add(turn(turn));
        }
        node.set("final-observation", observation(trajectory.finalObservation()));
        node.set("end", end(trajectory.end()));
        return node;
    }

    @Override
    public Trajectory decode(Fields fields) {
        Fields taskFields = fields.object("task");
        Task task =
                Task.of(
                        taskFields.text("id"),
                        taskFields.text("split"),
                        taskFields.text("category"));
        for (Map.Entry<String, String> entry : taskFields.textMap("attributes").entrySet()) {
            task = task.with(entry.getKey(), entry.getValue());
        }
        Trajectory.Builder builder =
                Trajectory.builder(task, fields.text("instruction"))
                        .episode(fields.integer("episode"))
                        .seed(seed(fields))
                        .policyId(fields.text("policy"));
        for (Fields turn : fields.objects("turns")) {
            builder.add(turn(turn));
        }
        return builder.end(
                observation(fields.object("final-observation")), end(fields.object("end")));
    }

    /** Text, since a JSON number of 64 bits does not survive every tool. */
    private static long seed(Fields fields) {
        try {
            return Long.parseLong(fields.text("seed"));
        } catch (NumberFormatException e) {
            throw fields.error("seed: a 64-bit integer in decimal text is expected");
        }
    }

    private static ObjectNode turn(Turn turn) {
        Decision decision = turn.decision();
        ObjectNode node = NODES.objectNode();
        node.set("observation", observation(turn.observation()));
        node.set("action", action(decision.action()));
        if (!decision.text().equals(decision.action().text())) {
            node.put("text", decision.text());
        }
        decision.reason().ifPresent(reason -> node.put("reason", reason));
        decision.parseFailure().ifPresent(why -> node.put("parse-failure", why));
        decision.tokens().ifPresent(tokens -> node.set("tokens", tokens(tokens)));
        if (!decision.deliberate()) {
            node.put("deliberate", false);
        }
        if (!decision.candidates().isEmpty()) {
            ArrayNode candidates = node.putArray("candidates");
            for (Candidate candidate : decision.candidates()) {
                ObjectNode each = candidates.addObject();
                each.put("action", candidate.action()).put("count", candidate.count());
                candidate.score().ifPresent(score -> each.put("score", finite("score", score)));
            }
        }
        node.set("feedback", feedback(turn.feedback()));
        node.put("reward", finite("reward", turn.reward()));
        return node;
    }

    private static Turn turn(Fields fields) {
        Decision.Builder decision = Decision.builder(action(fields.object("action")));
        fields.optionalText("text").ifPresent(decision::text);
        fields.optionalText("reason").ifPresent(decision::reason);
        fields.optionalText("parse-failure").ifPresent(decision::parseFailure);
        fields.optionalObject("tokens").ifPresent(tokens -> decision.tokens(tokens(tokens)));
        decision.deliberate(fields.optionalFlag("deliberate").orElse(true));
        List<Candidate> candidates = new ArrayList<>();
        for (Fields each : fields.objects("candidates")) {
            candidates.add(
                    new Candidate(
                            each.text("action"),
                            each.integer("count"),
                            each.optionalNumber("score")));
        }
        decision.candidates(candidates);
        return Turn.of(
                observation(fields.object("observation")),
                decision.build(),
                feedback(fields.object("feedback")),
                fields.number("reward"));
    }

    private static ObjectNode tokens(SampledTokens tokens) {
        ObjectNode node = NODES.objectNode();
        ArrayNode ids = node.putArray("ids");
        for (int id : tokens.ids()) {
            ids.add(id);
        }
        ArrayNode logProbs = node.putArray("log-probs");
        for (double logProb : tokens.logProbs()) {
            logProbs.add(finite("log-probs", logProb));
        }
        node.put("temperature", finite("temperature", tokens.temperature()));
        return node;
    }

    private static SampledTokens tokens(Fields fields) {
        int[] ids = fields.integers("ids");
        double[] logProbs = fields.numbers("log-probs");
        if (ids.length != logProbs.length) {
            throw fields.error(ids.length + " ids but " + logProbs.length + " log-probs");
        }
        return SampledTokens.of(ids, logProbs, fields.number("temperature"));
    }

    private static ObjectNode observation(Observation observation) {
        ObjectNode node = NODES.objectNode();
        ArrayNode parts = node.putArray("parts");
        for (Part part : observation.parts()) {
            if (!(part instanceof Part.Text)) {
                throw new RunException(
                        "observations with parts of "
                                + part.getClass().getName()
                                + " cannot be stored: this schema knows text only");
            }
            parts.addObject().put(TYPE, "text").put("text", part.text());
        }
        observation
                .admissibleActions()
                .ifPresent(
                        actions -> {
                            ArrayNode admissible = node.putArray("admissible");
                            actions.forEach(admissible::add);
                        });
        return node;
    }

    private static Observation observation(Fields fields) {
        List<Part> parts = new ArrayList<>();
        for (Fields part : fields.objects("parts")) {
            if (!part.text(TYPE).equals("text")) {
                throw unknownType(part, "text");
            }
            parts.add(new Part.Text(part.text("text")));
        }
        Observation observation = Observation.of(parts);
        Optional<List<String>> admissible = fields.texts("admissible").map(TrajectoryCodec::shared);
        return admissible.map(observation::withAdmissibleActions).orElse(observation);
    }

    /**
     * The same few thousand actions are admissible over and over; one copy of each keeps large
     * collections several times smaller in memory.
     */
    private static List<String> shared(List<String> actions) {
        return actions.stream().map(String::intern).toList();
    }

    private static ObjectNode action(Action action) {
        ObjectNode node = NODES.objectNode();
        if (action instanceof Action.ToolCall call) {
            node.put(TYPE, "tool-call").put("tool", call.tool());
            node.set("arguments", textMap(call.arguments()));
        } else {
            node.put(TYPE, "text").put("text", action.text());
        }
        return node;
    }

    private static Action action(Fields fields) {
        return switch (fields.text(TYPE)) {
            case "text" -> Action.text(fields.text("text"));
            case "tool-call" ->
                    new Action.ToolCall(fields.text("tool"), fields.textMap("arguments"));
            default -> throw unknownType(fields, "text, tool-call");
        };
    }

    private static ObjectNode feedback(ActionFeedback feedback) {
        ObjectNode node = NODES.objectNode();
        if (feedback instanceof ActionFeedback.Normalised normalised) {
            node.put(TYPE, "normalised").put("rule", normalised.rule());
            return node.put("executed", normalised.executed());
        }
        if (feedback instanceof ActionFeedback.Invalid invalid) {
            return node.put(TYPE, "invalid").put("reason", invalid.reason());
        }
        return node.put(TYPE, "valid");
    }

    private static ActionFeedback feedback(Fields fields) {
        return switch (fields.text(TYPE)) {
            case "valid" -> new ActionFeedback.Valid();
            case "normalised" ->
                    new ActionFeedback.Normalised(fields.text("rule"), fields.text("executed"));
            case "invalid" -> new ActionFeedback.Invalid(fields.text("reason"));
            default -> throw unknownType(fields, "valid, normalised, invalid");
        };
    }

    private static ObjectNode end(EpisodeEnd end) {
        ObjectNode node = NODES.objectNode();
        if (end instanceof EpisodeEnd.Terminated terminated) {
            node.put(TYPE, "terminated").put("reason", spelling(terminated.reason()));
            node.put("outcome", terminated.outcome());
            return node.put("success", terminated.success());
        }
        if (end instanceof EpisodeEnd.Truncated truncated) {
            return node.put(TYPE, "truncated").put("cause", truncated.cause());
        }
        return node.put(TYPE, "aborted").put("cause", ((EpisodeEnd.Aborted) end).cause());
    }

    private static EpisodeEnd end(Fields fields) {
        return switch (fields.text(TYPE)) {
            case "terminated" -> terminated(fields);
            case "truncated" -> new EpisodeEnd.Truncated(fields.text("cause"));
            case "aborted" -> new EpisodeEnd.Aborted(fields.text("cause"));
            default -> throw unknownType(fields, "terminated, truncated, aborted");
        };
    }

    private static EpisodeEnd terminated(Fields fields) {
        String text = fields.text("reason");
        double outcome = fields.number("outcome");
        if (!(outcome >= 0 && outcome <= 1)) {
            throw fields.error("outcome: must lie in [0, 1], was " + outcome);
        }
        for (EpisodeEnd.Reason reason : EpisodeEnd.Reason.values()) {
            if (spelling(reason).equals(text)) {
                return new EpisodeEnd.Terminated(reason, outcome, fields.flag("success"));
            }
        }
        throw fields.error("reason: must be goal, failure or step-limit, was '" + text + "'");
    }

    private static String spelling(EpisodeEnd.Reason reason) {
        return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static ObjectNode textMap(Map<String, String> map) {
        ObjectNode node = NODES.objectNode();
        new TreeMap<>(map).forEach(node::put);
        return node;
    }

    /** JSON has no other numbers. */
    private static double finite(String field, double value) {
        if (!Double.isFinite(value)) {
            throw new RunException(field + " is " + value + ", which JSON cannot hold");
        }
        return value;
    }

    private static RunException unknownType(Fields fields, String known) {
        return fields.error(
                "unknown type '" + fields.text(TYPE) + "'; this schema knows: " + known);
    }
}
