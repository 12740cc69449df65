package io.agentprm.engine.openai;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.api.reward.ScoreScale;
import io.agentprm.lm.agent.Reply;
import io.agentprm.lm.text.PlainTemplate;
import java.util.List;
import java.util.Optional;

/** Settings of the reward model. */
@Description("A reward model that asks a server in text.")
public record OpenAiRewardConfig(
        @Description("The server.") ServerConfig server,
        @Description(
                        "pooling: the head's output (vLLM); classify: probabilities of classes (vLLM) or"
                                + " the head's output (SGLang); score: how well two texts fit, state and"
                                + " reply (vLLM).")
                @Default("classify")
                ScoreEndpoint endpoint,
        @Description(
                        "What a score means: logit, probability or unbounded; unless given, logit for a"
                                + " head's output and probability for the others.")
                Optional<ScoreScale> scale,
        @Description(
                        "Number of the class, from 0, that means good; needed where there are several.")
                Optional<Integer> goodClass,
        @Description(
                        "completions: state and reply as one text; chat: as messages, for which the"
                                + " server has a template (vLLM, not with score).")
                @Default("completions")
                TextApi api,
        @Description("System message, or with completions the beginning of the text.")
                Optional<String> system,
        @Description("How instruction and observations become text; with chat, mark is not used.")
                PlainTemplate prompt,
        @Description("How replies are written: plain, call, labelled or tagged.")
                @Default("labelled")
                Reply reply,
        @Description("Number of latest turns that are told, besides the task; 0 tells all.")
                @Default("0")
                int turns) {
    /** Checks the ranges. */
    public OpenAiRewardConfig {
        require(
                goodClass.isEmpty() || goodClass.get() >= 0,
                "good-class must be 0 or more, was " + goodClass.orElse(0));
        require(turns >= 0, "turns must be 0 or more, was " + turns);
        require(
                server.dialect() != Dialect.SGLANG || endpoint == ScoreEndpoint.CLASSIFY,
                "endpoint must be classify for a server of dialect sglang");
        require(
                api == TextApi.COMPLETIONS
                        || server.dialect() == Dialect.VLLM && endpoint != ScoreEndpoint.SCORE,
                "api must be completions, except for a server of dialect vllm with the endpoints"
                        + " pooling and classify");
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Defaults for a server. */
    public static OpenAiRewardConfig of(ServerConfig server, ScoreEndpoint endpoint) {
        return new OpenAiRewardConfig(
                server,
                endpoint,
                Optional.empty(),
                Optional.empty(),
                TextApi.COMPLETIONS,
                Optional.empty(),
                PlainTemplate.standard(),
                Reply.LABELLED,
                0);
    }

    /** How the texts are written. */
    OpenAiPolicyConfig texts() {
        return new OpenAiPolicyConfig(
                server,
                api,
                system,
                prompt,
                reply,
                0,
                1,
                List.of("\n"),
                turns,
                Samples.APART,
                false);
    }
}
