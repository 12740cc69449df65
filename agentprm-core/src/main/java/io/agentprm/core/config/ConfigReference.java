package io.agentprm.core.config;

import io.agentprm.api.config.Description;
import io.agentprm.core.config.ConfigNode.Scalar;
import java.util.ArrayList;
import java.util.List;

/** Reference documentation of a configuration record, as a Markdown table. */
public final class ConfigReference {
    /**
     * A row of the table.
     *
     * @param key full path of the key; {@code []} stands for an element of a list, {@code *} for a
     *     name of a map
     * @param type what the value may be
     * @param defaultValue default in YAML, {@code required}, or empty for none
     * @param description in words
     */
    public record Row(String key, String type, String defaultValue, String description) {}

    private ConfigReference() {}

    /** One row for every key, nested ones under their path. */
    public static List<Row> rows(Class<? extends Record> type) {
        List<Row> rows = new ArrayList<>();
        collect(type, "", rows);
        return rows;
    }

    /** The description of the record and the table of its keys. */
    public static String markdown(Class<? extends Record> type) {
        StringBuilder text = new StringBuilder();
        Description description = type.getAnnotation(Description.class);
        if (description != null) {
            text.append(description.value()).append("\n\n");
        }
        List<Row> rows = rows(type);
        if (rows.isEmpty()) {
            return text.append("No settings.\n").toString();
        }
        text.append("| key | value | default | meaning |\n| --- | --- | --- | --- |\n");
        for (Row row : rows) {
            text.append("| `").append(row.key()).append("` | ").append(cell(row.type()));
            boolean code = !row.defaultValue().isEmpty() && !row.defaultValue().equals("required");
            text.append(" | ")
                    .append(code ? "`" + cell(row.defaultValue()) + "`" : row.defaultValue());
            text.append(" | ").append(cell(row.description())).append(" |\n");
        }
        return text.toString();
    }

    private static void collect(Class<? extends Record> type, String path, List<Row> rows) {
        for (ConfigKey key : ConfigKey.of(type)) {
            String keyPath = Names.child(path, key.name());
            ValueType value = key.type();
            if (value instanceof ValueType.OptionalValue optional) {
                value = optional.of();
            }
            if (value instanceof ValueType.RecordValue nested) {
                collect(nested.type(), keyPath, rows);
                continue;
            }
            rows.add(new Row(keyPath, shortType(value), defaultText(key), key.description()));
            if (value instanceof ValueType.ListValue list
                    && list.of() instanceof ValueType.RecordValue element) {
                collect(element.type(), keyPath + "[]", rows);
            } else if (value instanceof ValueType.MapValue map
                    && map.of() instanceof ValueType.RecordValue element) {
                collect(element.type(), keyPath + ".*", rows);
            }
        }
    }

    private static String shortType(ValueType type) {
        if (type instanceof ValueType.ListValue list) {
            return list.of() instanceof ValueType.RecordValue
                    ? "list of maps"
                    : "list of: " + shortType(list.of());
        }
        if (type instanceof ValueType.MapValue map) {
            return map.of() instanceof ValueType.RecordValue
                    ? "map of maps"
                    : "map of: " + shortType(map.of());
        }
        return type.describe();
    }

    private static String defaultText(ConfigKey key) {
        return key.defaultValue()
                .map(
                        node ->
                                node instanceof Scalar scalar
                                        ? scalar.kind() == Scalar.Kind.NOTHING
                                                ? ""
                                                : scalar.text().isEmpty() ? "\"\"" : scalar.text()
                                        : node.toJson().strip().replaceAll("\\s+", " "))
                .orElse("required");
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("\n", " ");
    }
}
