package io.agentprm.engine.openai;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.env.Observation;
import io.agentprm.api.trajectory.State;
import io.agentprm.lm.chat.Message;
import io.agentprm.lm.text.PromptTemplate;
import io.agentprm.lm.text.ReplyFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** States as messages, or as one text. */
final class Transcript {
    private final OpenAiPolicyConfig config;
    private final PromptTemplate template;
    private final ReplyFormat format;

    Transcript(OpenAiPolicyConfig config) {
        this.config = config;
        this.template =
                (config.api() == TextApi.CHAT ? config.prompt().withMark("") : config.prompt())
                        .compile();
        this.format = config.reply().format();
    }

    ReplyFormat format() {
        return format;
    }

    /** Writes the state into a request. */
    void write(State state, ObjectNode body) {
        if (config.api() == TextApi.COMPLETIONS) {
            body.put("prompt", text(state));
            return;
        }
        ArrayNode array = body.putArray("messages");
        for (Message message : messages(state)) {
            array.addObject().put("role", message.role()).put("content", message.content());
        }
    }

    /** The state as one text, up to where the reply begins. */
    String text(State state) {
        return text(messages(state));
    }

    private static String text(List<Message> messages) {
        StringBuilder text = new StringBuilder();
        for (Message message : messages) {
            text.append(message.content()).append(message.role().equals("user") ? "" : "\n");
        }
        return text.toString();
    }

    /** The task, and the latest turns. */
    List<Message> messages(State state) {
        List<State.Past> history = state.history();
        int first = config.turns() == 0 ? 0 : Math.max(0, history.size() - config.turns());
        List<Message> messages = new ArrayList<>();
        config.system().map(Message::system).ifPresent(messages::add);
        for (int t = first; t <= history.size(); t++) {
            Optional<State.Past> past =
                    t < history.size() ? Optional.of(history.get(t)) : Optional.empty();
            Observation observation = past.map(State.Past::observation).orElse(state.observation());
            messages.add(
                    Message.user(
                            t == first
                                    ? template.head(state.instruction(), observation, t == 0)
                                    : template.turn(observation)));
            past.map(State.Past::decision)
                    .map(format::text)
                    .map(Message::assistant)
                    .ifPresent(messages::add);
        }
        return messages;
    }
}
