package io.agentprm.lm.agent;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.lm.checkpoint.LoraConfig;
import io.agentprm.lm.text.PlainTemplate;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Configuration of {@link TransformerModels}. */
@Description("A decoder of the Llama family, new or from a model directory.")
public record TransformerConfig(
        @Description("Model directory to start from; without it a new model is made.")
                Optional<Path> checkpoint,
        @Description(
                        "Trains low-rank adapters over the checkpoint, which stays as it is and"
                                + " where it is; without it all weights are trained. All defaults: {}.")
                Optional<LoraConfig> lora,
        @Description("Shape of a new model.") Architecture architecture,
        @Description("Tokenizer of a new model.") Vocabulary vocabulary,
        @Description("How states become text.") PlainTemplate prompt,
        @Description(
                        "plain: a compact transcript; chat: the chat template of the checkpoint,"
                                + " with instruction and observations as the user's messages"
                                + " (prompt.mark is not used).")
                @Default("plain")
                Dialogue dialogue,
        @Description("System message, for dialogue chat.") Optional<String> system,
        @Description(
                        "Variables of the chat template, such as enable_thinking: false for Qwen3;"
                                + " true, false and numbers are those, anything else is text.")
                Map<String, String> templateVariables,
        @Description("How replies are written: plain, call, labelled or tagged.") @Default("plain")
                Reply reply,
        @Description("Longest reply in tokens, its end of turn not counted.") @Default("24")
                int maxReplyTokens,
        @Description(
                        "free: any reply; constrained: only admissible actions, token by token;"
                                + " admissible: free replies, drawn again until admissible.")
                @Default("free")
                Decoding decoding,
        @Description("Temperature where a request does not say; 0 is greedy.") @Default("1.0")
                double temperature) {
    /** Checks the ranges. */
    public TransformerConfig {
        require(maxReplyTokens >= 1, "max-reply-tokens must be at least 1, was " + maxReplyTokens);
        require(
                lora.isEmpty() || checkpoint.isPresent(),
                "lora needs a checkpoint, over which its adapters lie");
        require(
                dialogue == Dialogue.PLAIN || checkpoint.isPresent(),
                "dialogue chat needs a checkpoint, whose chat template it is");
        require(
                dialogue == Dialogue.CHAT || system.isEmpty(),
                "system has no effect on dialogue plain; set dialogue to chat");
        templateVariables = Collections.unmodifiableMap(new LinkedHashMap<>(templateVariables));
        require(
                dialogue == Dialogue.CHAT || templateVariables.isEmpty(),
                "template-variables have no effect on dialogue plain; set dialogue to chat");
        require(temperature >= 0, "temperature must be at least 0, was " + temperature);
        require(
                checkpoint.isPresent() || architecture.context() > maxReplyTokens + 1L,
                "max-reply-tokens must leave room for a prompt in architecture.context, which is "
                        + architecture.context());
        require(
                (long) vocabulary.size() * architecture.hidden() <= Integer.MAX_VALUE,
                "vocabulary.size times architecture.hidden must stay below 2^31, the largest size"
                        + " of one tensor");
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
