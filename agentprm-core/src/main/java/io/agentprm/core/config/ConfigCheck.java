package io.agentprm.core.config;

import io.agentprm.api.config.Default;
import io.agentprm.core.RunException;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Whether a record can be the configuration of a component at all. Asked when a provider is found,
 * so that a mistake of its author is told there and not in the middle of a run or a listing.
 */
public final class ConfigCheck {
    private final Set<Class<?>> above = new LinkedHashSet<>();
    private final Set<Class<? extends Record>> records = new LinkedHashSet<>();

    private ConfigCheck() {}

    /**
     * Looks at a configuration and everything in it.
     *
     * @throws RunException if it is no record, or one in it is not accessible or contains itself;
     *     if a component has a type that no file can hold, a default that is no value of it, or the
     *     name {@code type}
     */
    public static void requireComponent(Class<?> type) {
        if (type == null || !type.isRecord()) {
            throw unusable((type == null ? "null" : type.getName()) + " is no record");
        }
        ConfigCheck check = new ConfigCheck();
        check.visit(type);
        try {
            check.records.forEach(ConfigCheck::requireDefaults);
        } catch (IllegalArgumentException | ConfigException e) {
            throw unusable(e.getMessage());
        }
        for (RecordComponent component : type.getRecordComponents()) {
            if (component.getName().equals(ComponentConfig.TYPE)) {
                throw unusable(
                        "the key '"
                                + ComponentConfig.TYPE
                                + "' is the provider's name and sets no component; rename the"
                                + " component");
            }
        }
    }

    /** Records, each before those that it contains. */
    private void visit(Type type) {
        if (type instanceof ParameterizedType generic) {
            for (Type argument : generic.getActualTypeArguments()) {
                visit(argument);
            }
        } else if (type instanceof Class<?> record
                && record.isRecord()
                && record != ComponentConfig.class) {
            requireAccessible(record);
            if (!above.add(record)) {
                throw unusable(record.getName() + " contains itself");
            }
            records.add(record.asSubclass(Record.class));
            for (RecordComponent component : record.getRecordComponents()) {
                visit(component.getGenericType());
            }
            above.remove(record);
        }
    }

    private static void requireAccessible(Class<?> record) {
        boolean open = true;
        for (Class<?> at = record; at != null; at = at.getEnclosingClass()) {
            open &= Modifier.isPublic(at.getModifiers());
        }
        Module ours = ConfigCheck.class.getModule();
        if (!open || !record.getModule().isExported(record.getPackageName(), ours)) {
            throw unusable(
                    record.getName()
                            + " cannot be read: make the record and all that encloses it public,"
                            + " and, in a module, add 'exports "
                            + record.getPackageName()
                            + ";' to its module-info");
        }
    }

    private static void requireDefaults(Class<? extends Record> record) {
        for (ConfigKey key : ConfigKey.of(record)) {
            if (key.component().isAnnotationPresent(Default.class)) {
                key.type()
                        .bind(key.defaultValue().orElseThrow(), key.name(), ConfigBinder.strict());
            }
        }
    }

    private static RunException unusable(String why) {
        return new RunException("its configuration cannot be used: " + why);
    }
}
