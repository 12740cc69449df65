package io.agentprm.testkit;

import io.agentprm.api.config.Default;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the defaults of configuration records as the binder of files does: enough of YAML for
 * scalars and lists of them.
 */
final class ConfigurationDefaults {
    private ConfigurationDefaults() {}

    /**
     * The record with all its defaults; empty if a component is required.
     *
     * @throws IllegalArgumentException if a default does not fit, or the record refuses it
     */
    static Optional<Record> of(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            Optional<Object> value = of(components[i]);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            values[i] = value.get();
        }
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return Optional.of((Record) type.getDeclaredConstructor(types).newInstance(values));
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException("refused with: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("not accessible: " + e, e);
        }
    }

    /**
     * The default of a component; empty if it is required.
     *
     * @throws IllegalArgumentException if its type is none of a configuration's, or the default is
     *     no value of it
     */
    static Optional<Object> of(RecordComponent component) {
        Default annotation = component.getAnnotation(Default.class);
        Type type = component.getGenericType();
        Class<?> raw = raw(type);
        if (annotation != null) {
            return Optional.of(value(type, annotation.value()));
        }
        if (raw == Optional.class) {
            check(argument(type, 0));
            return Optional.of(Optional.empty());
        }
        if (raw == List.class) {
            check(argument(type, 0));
            return Optional.of(List.of());
        }
        if (raw == Map.class) {
            check(argument(type, 1));
            return Optional.of(Map.of());
        }
        if (raw.isRecord()) {
            return of(raw).map(record -> record);
        }
        check(type);
        return Optional.empty();
    }

    private static Class<?> raw(Type type) {
        return (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
    }

    private static Type argument(Type type, int index) {
        if (type instanceof ParameterizedType generic) {
            return generic.getActualTypeArguments()[index];
        }
        throw new IllegalArgumentException(type + " without the type of its elements");
    }

    /** Fails if values of the type cannot be written in a file. */
    private static void check(Type type) {
        Class<?> raw = raw(type);
        boolean known =
                raw == List.class
                        || raw == Map.class
                        || raw.isEnum()
                        || raw.isRecord()
                        || List.of(
                                        int.class,
                                        Integer.class,
                                        long.class,
                                        Long.class,
                                        double.class,
                                        Double.class,
                                        boolean.class,
                                        Boolean.class,
                                        String.class,
                                        Path.class,
                                        Duration.class)
                                .contains(raw);
        if (!known) {
            throw new IllegalArgumentException(
                    "a configuration cannot hold a "
                            + type.getTypeName()
                            + "; use int, long, double, boolean, String, Path, Duration, an enum,"
                            + " a record, or Optional, List or Map of them");
        }
    }

    private static Object value(Type type, String text) {
        check(raw(type) == Optional.class ? argument(type, 0) : type);
        Class<?> raw = raw(type);
        try {
            if (raw == Optional.class) {
                return Optional.of(value(argument(type, 0), text));
            } else if (raw == List.class) {
                return list(argument(type, 0), text);
            } else if (raw == int.class || raw == Integer.class) {
                return Integer.valueOf(text.replace("_", ""));
            } else if (raw == long.class || raw == Long.class) {
                return Long.valueOf(text.replace("_", ""));
            } else if (raw == double.class || raw == Double.class) {
                return text.equals(".inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
            } else if (raw == boolean.class || raw == Boolean.class) {
                return truth(text);
            } else if (raw == Path.class) {
                return Path.of(text);
            } else if (raw == Duration.class) {
                return duration(text);
            } else if (raw.isEnum()) {
                return constant(raw, text);
            }
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no value of " + type.getTypeName(), e);
        }
        if (raw == String.class) {
            return text;
        }
        throw new IllegalArgumentException(
                "a " + raw.getSimpleName() + " takes no @Default; give its components theirs");
    }

    private static boolean truth(String text) {
        if (!List.of("true", "false").contains(text)) {
            throw new IllegalArgumentException(text);
        }
        return text.equals("true");
    }

    private static List<Object> list(Type element, String text) {
        if (!text.startsWith("[") || !text.endsWith("]")) {
            throw new IllegalArgumentException(text);
        }
        List<Object> values = new ArrayList<>();
        for (String item : text.substring(1, text.length() - 1).split(",")) {
            if (!item.isBlank()) {
                values.add(value(element, item.strip()));
            }
        }
        return List.copyOf(values);
    }

    private static Duration duration(String text) {
        return text.startsWith("P")
                ? Duration.parse(text)
                : text.endsWith("ms")
                        ? Duration.ofMillis(Long.parseLong(text.replace("ms", "").strip()))
                        : text.endsWith("d")
                                ? Duration.ofDays(Long.parseLong(text.replace("d", "").strip()))
                                : Duration.parse("PT" + text.replace(" ", ""));
    }

    private static Object constant(Class<?> type, String text) {
        for (Object constant : type.getEnumConstants()) {
            if (kebab(((Enum<?>) constant).name()).equals(text)) {
                return constant;
            }
        }
        throw new IllegalArgumentException(text);
    }

    /** {@code SHELF_ONLY} and {@code shelfOnly} are {@code shelf-only} in a file. */
    private static String kebab(String name) {
        return name.equals(name.toUpperCase(Locale.ROOT))
                ? name.toLowerCase(Locale.ROOT).replace('_', '-')
                : name.replaceAll("(?<=.)(?=\\p{Lu})", "-").toLowerCase(Locale.ROOT);
    }
}
