package io.agentprm.lm.jinja;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Variables by name. What a loop or macro sets is gone after it. */
final class Scope {
    private final Map<String, Object> variables = new HashMap<>();
    private final Optional<Scope> outer;

    private Scope(Optional<Scope> outer) {
        this.outer = outer;
    }

    static Scope of(Map<String, ?> variables) {
        Scope scope = new Scope(Optional.empty());
        scope.variables.putAll(variables);
        return scope;
    }

    Scope child() {
        return new Scope(Optional.of(this));
    }

    Object get(String name) {
        Object value = variables.get(name);
        if (value != null) {
            return value;
        }
        return outer.isPresent() ? outer.get().get(name) : new Undefined(name);
    }

    void set(String name, Object value) {
        variables.put(name, value);
    }
}
