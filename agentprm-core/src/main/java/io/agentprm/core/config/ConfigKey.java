package io.agentprm.core.config;

import io.agentprm.api.config.Default;
import io.agentprm.api.config.Description;
import io.agentprm.core.config.ConfigNode.Items;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * A key of a configuration: one record component under its kebab-case name.
 *
 * @param name key
 * @param component record component that it sets
 * @param type what its value may be
 * @param description in words; empty if the component carries none
 * @param defaultValue value where the key is absent; empty if it is required
 */
record ConfigKey(
        String name,
        RecordComponent component,
        ValueType type,
        String description,
        Optional<ConfigNode> defaultValue) {

    /** Keys of a record, in the order of its components. */
    static List<ConfigKey> of(Class<? extends Record> record) {
        return Arrays.stream(record.getRecordComponents()).map(ConfigKey::of).toList();
    }

    boolean required() {
        return defaultValue.isEmpty();
    }

    private static ConfigKey of(RecordComponent component) {
        String where = component.getDeclaringRecord().getSimpleName() + "." + component.getName();
        ValueType type = ValueType.of(component.getGenericType(), where);
        Description description = component.getAnnotation(Description.class);
        return new ConfigKey(
                Names.kebab(component.getName()),
                component,
                type,
                description == null ? "" : description.value(),
                defaultOf(component, type, where));
    }

    private static Optional<ConfigNode> defaultOf(
            RecordComponent component, ValueType type, String where) {
        Location location = Location.of("default of " + where);
        Default annotation = component.getAnnotation(Default.class);
        if (annotation != null) {
            ConfigNode node = ConfigNode.parse(annotation.value(), location.source());
            // An empty annotation means the empty text, not the empty document.
            return Optional.of(
                    annotation.value().isBlank()
                            ? new ConfigNode.Scalar(
                                    location, ConfigNode.Scalar.Kind.TEXT, annotation.value())
                            : node);
        }
        if (type instanceof ValueType.OptionalValue) {
            return Optional.of(new ConfigNode.Scalar(location, ConfigNode.Scalar.Kind.NOTHING, ""));
        }
        if (type instanceof ValueType.ListValue) {
            return Optional.of(new Items(location, List.of()));
        }
        boolean open =
                type instanceof ValueType.MapValue
                        || type instanceof ValueType.RecordValue nested
                                && of(nested.type()).stream().noneMatch(ConfigKey::required);
        return open
                ? Optional.of(new ConfigNode.Entries(location, new LinkedHashMap<>()))
                : Optional.empty();
    }
}
