package io.agentprm.engine.openai;

import io.agentprm.api.config.Description;
import java.util.Optional;

/**
 * Settings of the engine.
 *
 * @param server serves the policy
 * @param rewardServer serves the reward model
 */
@Description(
        "Models on a server, told everything in token ids; their directories are here too, for"
                + " configuration and tokenizer.")
public record OpenAiEngineConfig(
        @Description("Server of the policy.") ServerConfig server,
        @Description("Server of the reward model, where one is used.")
                Optional<ServerConfig> rewardServer) {}
