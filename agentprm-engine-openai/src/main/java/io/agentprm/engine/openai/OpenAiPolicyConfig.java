package io.agentprm.engine.openai;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.lm.agent.Reply;
import io.agentprm.lm.text.PlainTemplate;
import java.util.List;
import java.util.Optional;

/** Settings of the policy. */
@Description("A policy that asks a server in text.")
public record OpenAiPolicyConfig(
        @Description("The server.") ServerConfig server,
        @Description(
                        "chat: messages with roles, for which the server has a template; completions:"
                                + " one text that is continued.")
                @Default("chat")
                TextApi api,
        @Description("System message, or with completions the beginning of the text.")
                Optional<String> system,
        @Description("How instruction and observations become text; with chat, mark is not used.")
                PlainTemplate prompt,
        @Description("How replies are written: plain, call, labelled or tagged.")
                @Default("labelled")
                Reply reply,
        @Description("Temperature where a request does not say; 0 is greedy.") @Default("0.7")
                double temperature,
        @Description("Longest reply in tokens.") @Default("256") int maxReplyTokens,
        @Description(
                        "Texts at which a reply ends; with completions and plain replies the end of the"
                                + " line unless given.")
                List<String> stop,
        @Description("Number of latest turns that are told, besides the task; 0 tells all.")
                @Default("0")
                int turns,
        @Description(
                        "seeded: each reply is a request with a seed of its own, so that a run can be"
                                + " repeated; together: one request for all replies to a state, without"
                                + " a seed; apart: a request for each, without a seed.")
                @Default("seeded")
                Samples samples,
        @Description(
                        "Whether replies carry their token ids and log-probabilities; only vLLM gives"
                                + " all of them with text.")
                @Default("false")
                boolean tokenIds) {
    /** Checks the ranges. */
    public OpenAiPolicyConfig {
        stop = List.copyOf(stop);
        require(temperature >= 0, "temperature must be 0 or more, was " + temperature);
        require(maxReplyTokens >= 1, "max-reply-tokens must be at least 1, was " + maxReplyTokens);
        require(turns >= 0, "turns must be 0 or more, was " + turns);
        require(
                api == TextApi.CHAT || reply == Reply.PLAIN || !stop.isEmpty(),
                "stop must say where a reply ends, for completions with replies of several lines");
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Defaults for a server. */
    public static OpenAiPolicyConfig of(ServerConfig server) {
        return new OpenAiPolicyConfig(
                server,
                TextApi.CHAT,
                Optional.empty(),
                PlainTemplate.standard(),
                Reply.LABELLED,
                0.7,
                256,
                List.of(),
                0,
                Samples.SEEDED,
                false);
    }

    List<String> stops() {
        return stop.isEmpty() && api == TextApi.COMPLETIONS ? List.of("\n") : stop;
    }
}
