package io.agentprm.cli.plugin;

import io.agentprm.cli.text.Table;
import io.agentprm.core.plugin.Plugin;
import io.agentprm.core.plugin.PluginDirectories;
import io.agentprm.core.plugin.PluginFailure;
import io.agentprm.core.plugin.Plugins;
import io.agentprm.core.plugin.ProviderKind;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** All providers as a table, then those that failed. */
final class PluginTable {
    private PluginTable() {}

    static void print(PrintWriter out, Plugins plugins, PluginDirectories directories) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("KIND", "NAME", "STATUS", "VERSION", "MODULE", "FROM"));
        for (Plugin<?> plugin : plugins.found()) {
            Class<?> type = plugin.provider().getClass();
            rows.add(
                    List.of(
                            plugin.kind().title(),
                            plugin.name(),
                            "ok",
                            Origin.of(type).version(),
                            Origin.of(type).module(),
                            fileName(plugin.location())));
        }
        for (PluginFailure failure : plugins.failures()) {
            rows.add(
                    List.of(
                            failure.kind().map(ProviderKind::title).orElse("plugin"),
                            failure.provider().isEmpty() ? "-" : failure.provider(),
                            "failed",
                            "-",
                            "-",
                            fileName(failure.location())));
        }
        Table.print(out, rows);
        plugins.failures().forEach(failure -> out.println("failed: " + failure));
        directories.notes().forEach(note -> out.println("note: " + note));
        out.println("Looked in: " + String.join(", ", plugins.searched()));
        out.println(
                "Plugin directories: "
                        + directories.paths().stream()
                                .map(Path::toString)
                                .collect(Collectors.joining(", ")));
    }

    private static String fileName(String location) {
        return location.replaceFirst("^.*[/\\\\](?=.)", "");
    }
}
