package io.agentprm.cli.run;

import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.config.ConfigOverrides;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The option by which single keys of a configuration are changed. */
public final class Overrides {
    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description =
                    "Overrides a key of the configuration, such as environment.step-limit; may be"
                            + " repeated.")
    private List<String> settings = new ArrayList<>();

    /**
     * The configuration with these keys changed.
     *
     * @param type what the configuration is bound to
     */
    public ConfigNode over(ConfigNode configuration, Class<? extends Record> type) {
        return ConfigOverrides.apply(configuration, settings, type);
    }
}
