package io.agentprm.cli.docs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agentprm.core.config.ComponentConfig;
import io.agentprm.core.config.ConfigBinder;
import io.agentprm.core.config.ConfigNode;
import io.agentprm.core.config.ConfigOverrides;
import io.agentprm.core.pipeline.LoopConfig;
import io.agentprm.core.pipeline.PrmTrainingConfig;
import io.agentprm.core.pipeline.RunConfig;
import io.agentprm.core.plugin.ComponentFactory;
import io.agentprm.core.plugin.Plugin;
import io.agentprm.core.plugin.Plugins;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Settings of a page, whole files and fragments alike: every key must exist where it is put, every
 * component must be there, and its settings must be its own.
 */
final class YamlSettings {
    /** What a fragment leaves out. */
    private static final String REST =
            "{name: page, environment: alfworld, demonstrations: {expert: alfworld-expert}}";

    private final Plugins plugins;

    YamlSettings(Plugins plugins) {
        this.plugins = plugins;
    }

    void check(String yaml) throws ReflectiveOperationException {
        ConfigNode node = ConfigNode.parse(yaml, "block");
        Set<String> keys = ((ConfigNode.Entries) node).values().keySet();
        if (keys(RunConfig.class).containsAll(keys)) {
            bind(REST, overrides(node, ""), RunConfig.class);
        } else if (keys(LoopConfig.class).containsAll(keys)) {
            bind(REST, overrides(node, "loop."), RunConfig.class);
        } else {
            bind("{inputs: []}", overrides(node, ""), PrmTrainingConfig.class);
        }
    }

    /** Each key of the block as if it were set from the command line. */
    static List<String> overrides(ConfigNode node, String prefix) {
        List<String> settings = new ArrayList<>();
        for (Map.Entry<String, ConfigNode.Entry> entry :
                ((ConfigNode.Entries) node).values().entrySet()) {
            ConfigNode value = entry.getValue().value();
            boolean inner =
                    value instanceof ConfigNode.Entries entries
                            && !entries.values().containsKey("type");
            settings.addAll(
                    inner
                            ? overrides(value, prefix + entry.getKey() + ".")
                            : List.of(prefix + entry.getKey() + "=" + value.toJson()));
        }
        return settings;
    }

    private <C extends Record> void bind(String rest, List<String> settings, Class<C> type)
            throws ReflectiveOperationException {
        ConfigNode whole = ConfigOverrides.apply(ConfigNode.parse(rest, "rest"), settings, type);
        resolve(ConfigBinder.strict().bind(whole, type), "");
    }

    /** Checks the settings of every component, however deep. */
    private void resolve(Object value, String path) throws ReflectiveOperationException {
        if (value instanceof ComponentConfig component) {
            resolve(component, path);
        } else if (value instanceof List<?> list) {
            for (Object each : list) {
                resolve(each, path);
            }
        } else if (value instanceof Record record) {
            for (RecordComponent each : record.getClass().getRecordComponents()) {
                resolve(each.getAccessor().invoke(record), path + "." + each.getName());
            }
        }
    }

    private void resolve(ComponentConfig component, String path) {
        List<Plugin<?>> named =
                plugins.found().stream()
                        .filter(plugin -> plugin.name().equals(component.name()))
                        .collect(Collectors.toList());
        assertTrue(!named.isEmpty(), path + ": nothing is called " + component.name());
        for (Plugin<?> plugin : named) {
            new ComponentFactory(plugins).resolve(plugin.kind(), component, path);
        }
    }

    private static Set<String> keys(Class<? extends Record> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(
                        c ->
                                c.getName()
                                        .replaceAll("([A-Z])", "-$1")
                                        .toLowerCase(java.util.Locale.ROOT))
                .collect(Collectors.toSet());
    }
}
