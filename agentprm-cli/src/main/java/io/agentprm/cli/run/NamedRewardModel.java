package io.agentprm.cli.run;

import io.agentprm.core.config.ComponentConfig;
import java.util.Optional;

/** What {@code --reward-model} names where that is no model directory. */
public final class NamedRewardModel {
    private NamedRewardModel() {}

    /**
     * The component, written as in a configuration: {@code {type: openai-reward, server: {url:
     * ...}}}; nothing if the text is no such map.
     *
     * @throws io.agentprm.core.config.ConfigException if the map names no component
     */
    public static Optional<ComponentConfig> of(String text) {
        return text.startsWith("{")
                ? Optional.of(ComponentConfig.parse(text, "--reward-model " + text))
                : Optional.empty();
    }
}
