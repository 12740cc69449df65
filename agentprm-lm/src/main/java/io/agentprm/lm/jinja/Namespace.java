package io.agentprm.lm.jinja;

import java.util.HashMap;
import java.util.Map;

/** {@code namespace(...)}: what loops may change so that it lasts. */
final class Namespace {
    private final Map<String, Object> values;

    Namespace(Map<String, Object> values) {
        this.values = new HashMap<>(values);
    }

    Object get(String name) {
        Object value = values.get(name);
        return value == null ? new Undefined(name) : value;
    }

    void set(String name, Object value) {
        values.put(name, value);
    }
}
