package io.agentprm.core.config;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A configuration text as a tree whose parts know their place. Immutable. Two trees are equal if
 * they say the same, wherever they say it.
 */
public sealed interface ConfigNode {
    /** Where this part begins. */
    Location location();

    /**
     * Reads a file: JSON if its name ends with {@code .json}, YAML otherwise.
     *
     * @throws ConfigException if it cannot be read; with line and column
     */
    static ConfigNode read(Path file) {
        return ConfigReader.read(file);
    }

    /** Parses YAML, of which JSON is a part; {@code source} names it in errors. */
    static ConfigNode parse(String yaml, String source) {
        return ConfigReader.yaml(yaml, source);
    }

    /** A map without keys. */
    static ConfigNode empty(Location location) {
        return new Entries(location, new LinkedHashMap<>());
    }

    /** This tree as YAML, ending with a newline. */
    default String toYaml() {
        return ConfigWriter.yaml(this);
    }

    /** This tree as indented JSON, ending with a newline. */
    default String toJson() {
        return ConfigWriter.json(this);
    }

    /** A text, number, boolean or nothing. */
    record Scalar(Location location, Kind kind, String text) implements ConfigNode {
        /** How a scalar was written; what it means is decided by the key that it belongs to. */
        public enum Kind {
            TEXT,
            NUMBER,
            BOOLEAN,
            NOTHING
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Scalar that && kind == that.kind && text.equals(that.text);
        }

        @Override
        public int hashCode() {
            return 31 * kind.hashCode() + text.hashCode();
        }
    }

    /** A list. */
    record Items(Location location, List<ConfigNode> values) implements ConfigNode {
        public Items {
            values = List.copyOf(values);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Items that && values.equals(that.values);
        }

        @Override
        public int hashCode() {
            return values.hashCode();
        }
    }

    /** A map in the order of its keys' appearance. */
    record Entries(Location location, Map<String, Entry> values) implements ConfigNode {
        public Entries {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }

        /** The same map without some keys. */
        public Entries without(Set<String> keys) {
            Map<String, Entry> left = new LinkedHashMap<>(values);
            left.keySet().removeAll(keys);
            return new Entries(location, left);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Entries that && values.equals(that.values);
        }

        @Override
        public int hashCode() {
            return values.hashCode();
        }
    }

    /** A value with the place of its key. */
    record Entry(Location keyLocation, ConfigNode value) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Entry that && value.equals(that.value);
        }

        @Override
        public int hashCode() {
            return value.hashCode();
        }
    }
}
