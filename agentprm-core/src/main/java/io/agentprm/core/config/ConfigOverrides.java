package io.agentprm.core.config;

import io.agentprm.core.config.ConfigNode.Entries;
import io.agentprm.core.config.ConfigNode.Entry;
import io.agentprm.core.config.ConfigNode.Items;
import io.agentprm.core.config.ConfigNode.Scalar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Changes single keys of a configuration from the command line: {@code rollout.episodes=4}. Keys
 * are separated by dots, elements of a list are addressed by number, values are YAML. Maps that are
 * missing on the way are made; a component given by its name only becomes a map with that type.
 */
public final class ConfigOverrides {
    private ConfigOverrides() {}

    /** Applies overrides in order. */
    public static ConfigNode apply(ConfigNode configuration, List<String> overrides) {
        return apply(configuration, overrides, Optional.empty());
    }

    /**
     * Applies overrides in order to the configuration of a type, so that a key below a component
     * that is left at its default can be set.
     */
    public static ConfigNode apply(
            ConfigNode configuration, List<String> overrides, Class<? extends Record> type) {
        return apply(configuration, overrides, Optional.of(new ValueType.RecordValue(type)));
    }

    private static ConfigNode apply(
            ConfigNode configuration, List<String> overrides, Optional<ValueType> type) {
        ConfigNode changed = configuration;
        for (String override : overrides) {
            Location location = Location.of("--set " + override);
            int equals = override.indexOf('=');
            if (equals < 1) {
                throw new ConfigException(
                        location,
                        "",
                        "an override is written key=value, such as training.steps=100");
            }
            List<String> keys = List.of(override.substring(0, equals).strip().split("\\.", -1));
            String text = override.substring(equals + 1);
            ConfigNode value =
                    text.isBlank()
                            ? new Scalar(location, Scalar.Kind.TEXT, "")
                            : relocated(ConfigNode.parse(text, location.source()), location);
            changed = set(changed, keys, value, location, type);
        }
        return changed;
    }

    private static ConfigNode set(
            ConfigNode node,
            List<String> keys,
            ConfigNode value,
            Location location,
            Optional<ValueType> type) {
        if (keys.isEmpty()) {
            return value;
        }
        String key = keys.get(0);
        List<String> rest = keys.subList(1, keys.size());
        if (node instanceof Items items) {
            return setItem(items, key, rest, value, location);
        }
        Map<String, Entry> entries = new LinkedHashMap<>();
        if (node instanceof Entries existing) {
            entries.putAll(existing.values());
        } else if (node instanceof Scalar scalar && scalar.kind() == Scalar.Kind.TEXT) {
            entries.put(ComponentConfig.TYPE, new Entry(scalar.location(), scalar));
        }
        Optional<ConfigKey> known = type.flatMap(record -> key(record, key));
        ConfigNode child =
                Optional.ofNullable(entries.get(key))
                        .map(Entry::value)
                        .or(() -> known.flatMap(ConfigKey::defaultValue))
                        .orElseGet(() -> new Scalar(location, Scalar.Kind.NOTHING, ""));
        entries.put(
                key,
                new Entry(location, set(child, rest, value, location, known.map(ConfigKey::type))));
        return new Entries(node.location(), entries);
    }

    private static Optional<ConfigKey> key(ValueType type, String name) {
        return type instanceof ValueType.RecordValue nested
                ? ConfigKey.of(nested.type()).stream()
                        .filter(key -> key.name().equals(name))
                        .findFirst()
                : Optional.empty();
    }

    private static ConfigNode setItem(
            Items items, String key, List<String> rest, ConfigNode value, Location location) {
        List<ConfigNode> values = new ArrayList<>(items.values());
        if (!key.matches("[0-9]{1,6}") || Integer.parseInt(key) >= values.size()) {
            throw new ConfigException(
                    location,
                    key,
                    "a list of "
                            + values.size()
                            + " elements stands here: address one by its number from 0, or set the"
                            + " whole list");
        }
        int index = Integer.parseInt(key);
        values.set(index, set(values.get(index), rest, value, location, Optional.empty()));
        return new Items(items.location(), values);
    }

    /** Errors in a value name the override, not a line in it. */
    private static ConfigNode relocated(ConfigNode node, Location location) {
        if (node instanceof Scalar scalar) {
            return new Scalar(location, scalar.kind(), scalar.text());
        }
        if (node instanceof Items items) {
            return new Items(
                    location,
                    items.values().stream().map(item -> relocated(item, location)).toList());
        }
        Map<String, Entry> entries = new LinkedHashMap<>();
        ((Entries) node)
                .values()
                .forEach(
                        (key, entry) ->
                                entries.put(
                                        key,
                                        new Entry(location, relocated(entry.value(), location))));
        return new Entries(location, entries);
    }
}
