package io.agentprm.core.config;

import io.agentprm.core.config.ConfigNode.Entries;
import io.agentprm.core.config.ConfigNode.Entry;
import io.agentprm.core.config.ConfigNode.Scalar;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Binds a tree to a record and back. Keys are the kebab-case names of the record's components, so
 * both correspond one to one; values are read as their component's type says. Records must be
 * public, in a package that is exported.
 */
public final class ConfigBinder {
    private final boolean tolerant;

    private ConfigBinder(boolean tolerant) {
        this.tolerant = tolerant;
    }

    /** For configurations: an unknown key is an error. */
    public static ConfigBinder strict() {
        return new ConfigBinder(false);
    }

    /** For data files, which a newer version may have extended: unknown keys are ignored. */
    public static ConfigBinder tolerant() {
        return new ConfigBinder(true);
    }

    /**
     * Makes the record that the tree describes.
     *
     * @throws ConfigException with every unknown key, wrong value and missing key at its place; a
     *     complaint of a record's own constructor carries the place of its map
     */
    public <C extends Record> C bind(ConfigNode node, Class<C> type) {
        return bind(node, type, "");
    }

    /** The same for a tree that stands below a key, which is named in complaints. */
    <C extends Record> C bind(ConfigNode node, Class<C> type, String path) {
        return type.cast(new ValueType.RecordValue(type).bind(node, path, this));
    }

    /** The record as a tree with all its keys; absent optional values are left out. */
    public ConfigNode unbind(Record record) {
        Location location = Location.of("code");
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (ConfigKey key : ConfigKey.of(record.getClass())) {
            ConfigNode value = key.type().unbind(read(record, key), this);
            if (!(value instanceof Scalar scalar && scalar.kind() == Scalar.Kind.NOTHING)) {
                entries.put(key.name(), new Entry(location, value));
            }
        }
        return new Entries(location, entries);
    }

    Record bindRecord(Entries entries, String path, Class<? extends Record> type) {
        List<ConfigKey> keys = ConfigKey.of(type);
        Problems problems = new Problems();
        if (!tolerant) {
            reportUnknown(entries, path, keys, problems);
        }
        Object[] arguments = new Object[keys.size()];
        for (int i = 0; i < arguments.length; i++) {
            ConfigKey key = keys.get(i);
            String keyPath = Names.child(path, key.name());
            Entry entry = entries.values().get(key.name());
            if (entry == null && key.required()) {
                problems.add(
                        entries.location(),
                        keyPath,
                        "the key is missing; " + key.type().describe() + " is expected");
            } else {
                ConfigNode value = entry == null ? key.defaultValue().orElseThrow() : entry.value();
                arguments[i] = problems.collect(() -> key.type().bind(value, keyPath, this));
            }
        }
        problems.throwIfAny();
        return construct(type, arguments, entries, path);
    }

    private static void reportUnknown(
            Entries entries, String path, List<ConfigKey> keys, Problems problems) {
        List<String> known = keys.stream().map(ConfigKey::name).toList();
        for (Map.Entry<String, Entry> entry : entries.values().entrySet()) {
            String key = entry.getKey();
            if (!known.contains(key)) {
                problems.add(
                        entry.getValue().keyLocation(),
                        Names.child(path, key),
                        "unknown key"
                                + Names.nearest(key, known)
                                        .map(near -> "; did you mean '" + near + "'?")
                                        .orElse(";")
                                + known.stream()
                                        .collect(Collectors.joining(", ", " Allowed: ", "")));
            }
        }
    }

    private static Record construct(
            Class<? extends Record> type, Object[] arguments, Entries entries, String path) {
        try {
            Class<?>[] types =
                    ConfigKey.of(type).stream()
                            .map(key -> key.component().getType())
                            .toArray(Class<?>[]::new);
            Constructor<? extends Record> constructor = type.getDeclaredConstructor(types);
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            Throwable refusal = e.getCause();
            throw refused(
                    ConfigKey.of(type),
                    entries,
                    path,
                    refusal instanceof RuntimeException
                            ? String.valueOf(refusal.getMessage())
                            : String.valueOf(refusal));
        } catch (ReflectiveOperationException e) {
            throw inaccessible(type, e);
        }
    }

    /** A complaint that begins with a key belongs to that key's place. */
    private static ConfigException refused(
            List<ConfigKey> keys, Entries entries, String path, String message) {
        String first = message.split("[ :]", 2)[0];
        if (keys.stream().noneMatch(key -> key.name().equals(first))) {
            return new ConfigException(entries.location(), path, message);
        }
        Entry entry = entries.values().get(first);
        return new ConfigException(
                entry == null ? entries.location() : entry.value().location(),
                Names.child(path, first),
                message.substring(first.length()).replaceFirst("^[ :]+", ""));
    }

    private static Object read(Record record, ConfigKey key) {
        try {
            return key.component().getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw inaccessible(record.getClass(), e);
        }
    }

    private static IllegalArgumentException inaccessible(
            Class<?> type, ReflectiveOperationException cause) {
        return new IllegalArgumentException(
                "the configuration "
                        + type.getName()
                        + " is not accessible: make the record and all that encloses it public, and"
                        + " export its package",
                cause);
    }
}
