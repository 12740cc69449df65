package io.agentprm.cli.plugin;

import io.agentprm.cli.text.Table;
import io.agentprm.core.plugin.Plugin;
import io.agentprm.core.plugin.PluginFailure;
import io.agentprm.core.plugin.Plugins;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** All providers as a table, then those that failed. */
final class PluginTable {
    private PluginTable() {}

    static void print(PrintWriter out, Plugins plugins, PluginDirectory directory) {
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
                            failure.kind().title(),
                            failure.provider(),
                            "failed",
                            "-",
                            "-",
                            fileName(failure.location())));
        }
        Table.print(out, rows);
        plugins.failures().forEach(failure -> out.println("failed: " + failure));
        directory.unreadable().forEach(problem -> out.println("failed: " + problem));
        out.println("Looked in: " + String.join(", ", plugins.searched()));
        out.println("Plugin directory: " + directory.path());
    }

    private static String fileName(String location) {
        return location.substring(location.replaceFirst("/+$", "").lastIndexOf('/') + 1);
    }
}
