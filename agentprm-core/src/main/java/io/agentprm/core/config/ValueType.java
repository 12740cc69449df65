package io.agentprm.core.config;

import io.agentprm.core.config.ConfigNode.Entries;
import io.agentprm.core.config.ConfigNode.Entry;
import io.agentprm.core.config.ConfigNode.Items;
import io.agentprm.core.config.ConfigNode.Scalar;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a key's value may be: how it is read, written and described. */
sealed interface ValueType {
    Object bind(ConfigNode node, String path, ConfigBinder binder);

    ConfigNode unbind(Object value, ConfigBinder binder);

    /** In words, for errors and the reference. */
    String describe();

    /** The type of a record component. */
    static ValueType of(Type type, String where) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            if (generic.getRawType() == Optional.class) {
                return new OptionalValue(of(arguments[0], where));
            }
            if (generic.getRawType() == List.class) {
                return new ListValue(of(arguments[0], where));
            }
            if (generic.getRawType() == Map.class && arguments[0] == String.class) {
                return new MapValue(of(arguments[1], where));
            }
        }
        if (type instanceof Class<?> plain) {
            if (plain.isRecord() && plain != ComponentConfig.class) {
                return new RecordValue(plain.asSubclass(Record.class));
            }
            if (plain.isEnum()) {
                return new EnumValue(plain);
            }
            for (Simple simple : Simple.values()) {
                if (simple.types.contains(plain)) {
                    return new SimpleValue(simple);
                }
            }
        }
        throw new IllegalArgumentException(
                where
                        + " has the type "
                        + type.getTypeName()
                        + "; a configuration may hold text, numbers, booleans, enums, Path, Duration,"
                        + " ComponentConfig, records, and Optional, List or Map<String, ...> of these");
    }

    private static ConfigException wrong(ConfigNode node, String path, ValueType expected) {
        String found =
                node instanceof Scalar scalar
                        ? scalar.kind() == Scalar.Kind.NOTHING
                                ? "nothing"
                                : "'" + scalar.text() + "'"
                        : node instanceof Items ? "a list" : "a map";
        return new ConfigException(
                node.location(), path, expected.describe() + " is expected, but this is " + found);
    }

    private static ConfigNode scalar(Scalar.Kind kind, String text) {
        return new Scalar(Location.of("code"), kind, text);
    }

    /** Values written as one scalar. */
    enum Simple {
        TEXT("text", String.class),
        BOOLEAN("true or false", boolean.class, Boolean.class),
        INT("an integer", int.class, Integer.class),
        LONG("an integer", long.class, Long.class),
        NUMBER("a number", double.class, Double.class),
        PATH("a path", Path.class),
        DURATION("a duration such as 250ms, 30s, 5m or 2h", Duration.class),
        COMPONENT("a component: its name, or a map with type and settings", ComponentConfig.class);

        private final String description;
        private final List<Class<?>> types;

        Simple(String description, Class<?>... types) {
            this.description = description;
            this.types = List.of(types);
        }
    }

    record SimpleValue(Simple simple) implements ValueType {
        @Override
        public Object bind(ConfigNode node, String path, ConfigBinder binder) {
            if (simple == Simple.COMPONENT) {
                return ComponentConfig.from(node, path);
            }
            if (node instanceof Scalar scalar && scalar.kind() != Scalar.Kind.NOTHING) {
                Optional<Object> value = parse(scalar.text());
                if (value.isPresent()) {
                    return value.get();
                }
            }
            throw wrong(node, path, this);
        }

        /** What a text means depends on the key only: quotes around a number change nothing. */
        private Optional<Object> parse(String text) {
            try {
                return switch (simple) {
                    case TEXT, COMPONENT -> Optional.of(text);
                    case BOOLEAN ->
                            switch (text) {
                                case "true" -> Optional.of(true);
                                case "false" -> Optional.of(false);
                                default -> Optional.empty();
                            };
                    case INT -> Optional.of(whole(text).intValueExact());
                    case LONG -> Optional.of(whole(text).longValueExact());
                    case NUMBER -> number(text);
                    case PATH -> text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text));
                    case DURATION -> Durations.parse(text).map(duration -> duration);
                };
            } catch (ArithmeticException | NumberFormatException | InvalidPathException e) {
                return Optional.empty();
            }
        }

        private static BigDecimal whole(String text) {
            BigDecimal value = new BigDecimal(text.replace("_", ""));
            // A huge exponent would be expanded digit by digit.
            if (value.precision() - value.scale() > 20) {
                throw new ArithmeticException(text);
            }
            return value;
        }

        private static Optional<Object> number(String text) {
            if (text.equals(".inf")) {
                return Optional.of(Double.POSITIVE_INFINITY);
            }
            double value = new BigDecimal(text.replace("_", "")).doubleValue();
            return Double.isFinite(value) ? Optional.of(value) : Optional.empty();
        }

        @Override
        public ConfigNode unbind(Object value, ConfigBinder binder) {
            return switch (simple) {
                case TEXT -> scalar(Scalar.Kind.TEXT, (String) value);
                case PATH -> scalar(Scalar.Kind.TEXT, value.toString().replace('\\', '/'));
                case BOOLEAN -> scalar(Scalar.Kind.BOOLEAN, value.toString());
                case INT, LONG -> scalar(Scalar.Kind.NUMBER, value.toString());
                case NUMBER -> decimal((Double) value);
                case DURATION -> scalar(Scalar.Kind.TEXT, Durations.format((Duration) value));
                case COMPONENT -> ((ComponentConfig) value).toNode();
            };
        }

        private static ConfigNode decimal(double value) {
            if (value == Double.POSITIVE_INFINITY) {
                return scalar(Scalar.Kind.TEXT, ".inf");
            }
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException(
                        "a configuration cannot hold the number " + value);
            }
            return scalar(Scalar.Kind.NUMBER, Double.toString(value));
        }

        @Override
        public String describe() {
            return simple.description;
        }
    }

    record EnumValue(Class<?> type) implements ValueType {
        @Override
        public Object bind(ConfigNode node, String path, ConfigBinder binder) {
            if (node instanceof Scalar scalar) {
                for (Object constant : type.getEnumConstants()) {
                    if (spelling(constant).equals(scalar.text())) {
                        return constant;
                    }
                }
            }
            throw wrong(node, path, this);
        }

        @Override
        public ConfigNode unbind(Object value, ConfigBinder binder) {
            return scalar(Scalar.Kind.TEXT, spelling(value));
        }

        @Override
        public String describe() {
            return Arrays.stream(type.getEnumConstants())
                    .map(EnumValue::spelling)
                    .collect(Collectors.joining(", ", "one of ", ""));
        }

        private static String spelling(Object constant) {
            return Names.kebab(((Enum<?>) constant).name());
        }
    }

    record OptionalValue(ValueType of) implements ValueType {
        @Override
        public Object bind(ConfigNode node, String path, ConfigBinder binder) {
            return node instanceof Scalar scalar && scalar.kind() == Scalar.Kind.NOTHING
                    ? Optional.empty()
                    : Optional.of(of.bind(node, path, binder));
        }

        @Override
        public ConfigNode unbind(Object value, ConfigBinder binder) {
            return ((Optional<?>) value)
                    .map(inner -> of.unbind(inner, binder))
                    .orElseGet(() -> scalar(Scalar.Kind.NOTHING, ""));
        }

        @Override
        public String describe() {
            return of.describe();
        }
    }

    record ListValue(ValueType of) implements ValueType {
        @Override
        public Object bind(ConfigNode node, String path, ConfigBinder binder) {
            if (!(node instanceof Items items)) {
                throw wrong(node, path, this);
            }
            Problems problems = new Problems();
            List<Object> values = new ArrayList<>();
            for (ConfigNode item : items.values()) {
                String itemPath = path + "[" + values.size() + "]";
                values.add(problems.collect(() -> of.bind(item, itemPath, binder)));
            }
            problems.throwIfAny();
            return List.copyOf(values);
        }

        @Override
        public ConfigNode unbind(Object value, ConfigBinder binder) {
            return new Items(
                    Location.of("code"),
                    ((List<?>) value).stream().map(item -> of.unbind(item, binder)).toList());
        }

        @Override
        public String describe() {
            return "a list, each element " + of.describe();
        }
    }

    record MapValue(ValueType of) implements ValueType {
        @Override
        public Object bind(ConfigNode node, String path, ConfigBinder binder) {
            if (!(node instanceof Entries entries)) {
                throw wrong(node, path, this);
            }
            Problems problems = new Problems();
            Map<String, Object> values = new LinkedHashMap<>();
            for (Map.Entry<String, Entry> entry : entries.values().entrySet()) {
                String key = entry.getKey();
                ConfigNode value = entry.getValue().value();
                values.put(
                        key,
                        problems.collect(() -> of.bind(value, Names.child(path, key), binder)));
            }
            problems.throwIfAny();
            return Collections.unmodifiableMap(values);
        }

        @Override
        public ConfigNode unbind(Object value, ConfigBinder binder) {
            Location location = Location.of("code");
            Map<String, Entry> entries = new LinkedHashMap<>();
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                entries.put(
                        (String) entry.getKey(),
                        new Entry(location, of.unbind(entry.getValue(), binder)));
            }
            return new Entries(location, entries);
        }

        @Override
        public String describe() {
            return "a map, each value " + of.describe();
        }
    }

    record RecordValue(Class<? extends Record> type) implements ValueType {
        @Override
        public Object bind(ConfigNode node, String path, ConfigBinder binder) {
            if (!(node instanceof Entries entries)) {
                throw wrong(node, path, this);
            }
            return binder.bindRecord(entries, path, type);
        }

        @Override
        public ConfigNode unbind(Object value, ConfigBinder binder) {
            return binder.unbind((Record) value);
        }

        @Override
        public String describe() {
            return "a map with the keys "
                    + ConfigKey.of(type).stream()
                            .map(ConfigKey::name)
                            .collect(Collectors.joining(", "));
        }
    }
}
