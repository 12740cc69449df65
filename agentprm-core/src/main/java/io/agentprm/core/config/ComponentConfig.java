package io.agentprm.core.config;

import io.agentprm.core.config.ConfigNode.Entries;
import io.agentprm.core.config.ConfigNode.Entry;
import io.agentprm.core.config.ConfigNode.Scalar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A reference to a component by its provider's name, with settings that are bound later to that
 * provider's configuration. Written as {@code {type: online-dpo, beta: 0.1}}, or as plain {@code
 * online-dpo}.
 *
 * @param name name of the provider
 * @param settings a map: everything but the type
 */
public record ComponentConfig(String name, ConfigNode settings) {
    static final String TYPE = "type";

    /** A component with the defaults of its provider. */
    public static ComponentConfig of(String name) {
        return new ComponentConfig(name, ConfigNode.empty(Location.of("code")));
    }

    /** A component with a configuration made in code. */
    public static ComponentConfig of(String name, Record configuration) {
        return new ComponentConfig(name, ConfigBinder.strict().unbind(configuration));
    }

    /**
     * Reads a component as a configuration writes it.
     *
     * @param text YAML
     * @param source where it stands, which complaints name
     * @throws ConfigException if it is none
     */
    public static ComponentConfig parse(String text, String source) {
        return from(ConfigNode.parse(text, source), "");
    }

    /**
     * The settings as the provider's configuration.
     *
     * @throws ConfigException if they do not fit; with the place of each problem
     */
    public <C extends Record> C bind(Class<C> type) {
        return ConfigBinder.strict().bind(settings, type);
    }

    /** The same component with every default of that configuration written out. */
    public ComponentConfig resolved(Class<? extends Record> type) {
        return resolved(type, "");
    }

    /**
     * The same component with every default of that configuration written out.
     *
     * @param path key that the component stands at, which complaints name
     */
    public ComponentConfig resolved(Class<? extends Record> type, String path) {
        return of(name, ConfigBinder.strict().bind(settings, type, path));
    }

    /** Such as {@code best-of-n, n = 8, temperature 0.4}. */
    public String inWords() {
        List<String> pieces = new ArrayList<>(List.of(name));
        pieces.addAll(ConfigWords.of(settings));
        return String.join(", ", pieces);
    }

    static ComponentConfig from(ConfigNode node, String path) {
        if (node instanceof Scalar scalar && scalar.kind() == Scalar.Kind.TEXT) {
            return new ComponentConfig(scalar.text(), ConfigNode.empty(scalar.location()));
        }
        if (node instanceof Entries entries) {
            Map<String, Entry> settings = new LinkedHashMap<>(entries.values());
            Entry type = settings.remove(TYPE);
            if (type != null
                    && type.value() instanceof Scalar scalar
                    && scalar.kind() == Scalar.Kind.TEXT) {
                return new ComponentConfig(
                        scalar.text(), new Entries(entries.location(), settings));
            }
        }
        throw new ConfigException(
                node.location(),
                path,
                "a component is expected: its name, or a map with the key 'type' and its settings");
    }

    ConfigNode toNode() {
        Location location = settings.location();
        Scalar type = new Scalar(location, Scalar.Kind.TEXT, name);
        if (!(settings instanceof Entries entries) || entries.values().isEmpty()) {
            return type;
        }
        Map<String, Entry> all = new LinkedHashMap<>();
        all.put(TYPE, new Entry(location, type));
        all.putAll(entries.values());
        return new Entries(location, all);
    }
}
