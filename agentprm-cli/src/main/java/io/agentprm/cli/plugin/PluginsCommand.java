package io.agentprm.cli.plugin;

import io.agentprm.core.RunException;
import io.agentprm.core.config.ConfigReference;
import io.agentprm.core.plugin.Plugin;
import io.agentprm.core.plugin.PluginDirectories;
import io.agentprm.core.plugin.Plugins;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists providers, or tells what one of them can be told. */
@Command(
        name = "plugins",
        description = "List plugins; with a name, show its settings with defaults and meaning.")
public final class PluginsCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Mixin private PluginOptions options = new PluginOptions();

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Plugin to describe.")
    private Optional<String> name;

    @Option(
            names = "--markdown",
            description = "Print all settings, of files and plugins, as Markdown.")
    private boolean markdown;

    @Override
    public void run() {
        try (PluginDirectories directories = options.open()) {
            print(spec.commandLine().getOut(), directories);
        }
    }

    private void print(PrintWriter out, PluginDirectories directories) {
        Plugins plugins = directories.discover();
        if (markdown) {
            out.print(SettingsPage.markdown(plugins));
            out.flush();
        } else if (name.isPresent()) {
            describe(out, plugins, name.get());
        } else {
            PluginTable.print(out, plugins, directories);
        }
    }

    private static void describe(PrintWriter out, Plugins plugins, String name) {
        List<Plugin<?>> named =
                plugins.found().stream().filter(p -> p.name().equals(name)).toList();
        if (named.isEmpty()) {
            throw new RunException(
                    "there is no plugin '"
                            + name
                            + "'; found: "
                            + plugins.found().stream().map(Plugin::name).distinct().toList()
                            + "; looked in: "
                            + plugins.searched()
                            + plugins.failures().stream()
                                    .map(failure -> "; failed: " + failure)
                                    .collect(Collectors.joining()));
        }
        for (Plugin<?> plugin : named) {
            Origin origin = Origin.of(plugin.provider().getClass());
            out.println(plugin.name() + " (" + plugin.kind() + ", from " + plugin.location() + ")");
            out.println("version " + origin.version() + ", module " + origin.module());
            out.println(plugin.provider().description());
            out.println();
            List<ConfigReference.Row> settings =
                    ConfigReference.rows(plugin.provider().configuration());
            if (settings.isEmpty()) {
                out.println("No settings.");
                continue;
            }
            settings.forEach(row -> SettingText.print(out, row));
            out.println();
        }
    }
}
