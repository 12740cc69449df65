package io.agentprm.cli.doctor;

import io.agentprm.core.plugin.Plugin;
import io.agentprm.core.plugin.PluginDirectories;
import io.agentprm.core.plugin.PluginFailure;
import io.agentprm.core.plugin.Plugins;
import io.agentprm.core.plugin.ProviderKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Which components there are, what failed to load, and what plugins should say. */
final class PluginProbe implements Probe {
    private final PluginDirectories directories;

    PluginProbe(PluginDirectories directories) {
        this.directories = directories;
    }

    @Override
    public List<Finding> look() {
        Plugins plugins = directories.discover();
        List<Finding> findings = new ArrayList<>();
        for (ProviderKind<?> kind : ProviderKind.all()) {
            String names =
                    plugins.of(kind).stream().map(Plugin::name).collect(Collectors.joining(", "));
            findings.add(
                    names.isEmpty()
                            ? Finding.note("plugin", "no " + kind)
                            : Finding.ok("plugin", kind + ": " + names));
        }
        for (PluginFailure failure : plugins.failures()) {
            findings.add(Finding.problem("plugin", failure.toString()));
        }
        directories.notes().forEach(note -> findings.add(Finding.note("plugin", note)));
        return findings;
    }
}
