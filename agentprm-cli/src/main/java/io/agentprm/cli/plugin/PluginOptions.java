package io.agentprm.cli.plugin;

import io.agentprm.core.plugin.PluginDirectories;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where a command looks for plugins, apart from the class path and the module path. */
public final class PluginOptions {
    /** Set by the launcher: the directory to look in where none is named. */
    private static final String PROPERTY = "agentprm.plugins";

    private static final String VARIABLE = "AGENTPRM_PLUGINS";

    @Option(
            names = "--plugins",
            paramLabel = "DIRS",
            description =
                    "Plugin directories, separated as in a class path (default: AGENTPRM_PLUGINS,"
                            + " else plugins/ beside the launcher).")
    private Optional<String> directories = Optional.empty();

    /**
     * Opens the directories.
     *
     * @throws io.agentprm.core.RunException if one that is named does not exist, or one cannot be
     *     listed
     */
    public PluginDirectories open() {
        return open(directories, System.getenv(), Path.of(System.getProperty(PROPERTY, "plugins")));
    }

    /** The option counts, else the variable; {@code installed} need not exist. */
    static PluginDirectories open(
            Optional<String> option, Map<String, String> environment, Path installed) {
        return option.or(() -> Optional.ofNullable(environment.get(VARIABLE)))
                .map(PluginDirectories::parse)
                .filter(paths -> !paths.isEmpty())
                .map(PluginDirectories::named)
                .orElseGet(() -> PluginDirectories.open(List.of(installed)));
    }
}
