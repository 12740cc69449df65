package io.agentprm.cli.plugin;

import io.agentprm.core.config.ConfigReference;
import io.agentprm.core.pipeline.PrmTrainingConfig;
import io.agentprm.core.pipeline.RunConfig;
import io.agentprm.core.plugin.Plugin;
import io.agentprm.core.plugin.Plugins;
import io.agentprm.core.plugin.ProviderKind;
import java.util.Comparator;
import java.util.List;

/** The reference of all settings in Markdown, from the annotations of their records. */
final class SettingsPage {
    private SettingsPage() {}

    /** The files of commands, then every provider by kind and name. */
    static String markdown(Plugins plugins) {
        StringBuilder text = new StringBuilder("# Settings\n\n");
        text.append("Written by `./agentprm plugins --markdown`.\n");
        file(text, "The file of `agentprm run`", RunConfig.class);
        file(text, "The file of `agentprm train-prm`", PrmTrainingConfig.class);
        for (ProviderKind<?> kind : ProviderKind.all()) {
            List<Plugin<?>> ofKind =
                    plugins.found().stream()
                            .filter(plugin -> plugin.kind() == kind)
                            .sorted(Comparator.comparing(Plugin::name))
                            .toList();
            if (!ofKind.isEmpty()) {
                heading(text, capitalised(kind.title()));
                ofKind.forEach(plugin -> component(text, plugin));
            }
        }
        return text.toString();
    }

    private static void file(StringBuilder text, String title, Class<? extends Record> type) {
        heading(text, title);
        text.append('\n').append(ConfigReference.markdown(type));
    }

    private static void component(StringBuilder text, Plugin<?> plugin) {
        text.append("\n### `").append(plugin.name()).append("`\n\n");
        text.append(plugin.provider().description()).append("\n\n");
        text.append(ConfigReference.markdown(plugin.provider().configuration()));
    }

    private static void heading(StringBuilder text, String title) {
        text.append("\n## ").append(title).append('\n');
    }

    private static String capitalised(String title) {
        return Character.toUpperCase(title.charAt(0)) + title.substring(1);
    }
}
