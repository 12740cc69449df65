package io.agentprm.lm.jinja;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Attributes, items and slices of values. */
final class Access {
    private Access() {}

    /** {@code value.name}: a method, or else an item. */
    static Object attribute(Object value, String name) {
        if (value instanceof Namespace namespace) {
            return namespace.get(name);
        }
        Optional<Function> method = Methods.of(value, name);
        return method.isPresent() ? method.get() : item(value, name);
    }

    /** {@code value[key]}. */
    static Object item(Object value, Object key) {
        if (value instanceof Undefined undefined) {
            throw undefined.used();
        } else if (value instanceof Map<?, ?> map) {
            Object found = map.get(key);
            return found == null ? new Undefined(Written.str(key)) : found;
        } else if (key instanceof Long index
                && (value instanceof List || value instanceof String)) {
            List<Object> elements = Values.elements(value);
            long at = index < 0 ? index + elements.size() : index;
            return at >= 0 && at < elements.size()
                    ? elements.get((int) at)
                    : new Undefined("element " + index);
        } else if (key instanceof String name && Methods.of(value, name).isPresent()) {
            return Methods.of(value, name).get();
        }
        return new Undefined(Written.str(key));
    }

    /** {@code value[from:to:step]}; None where not given. */
    static Object slice(Object value, Object from, Object to, Object step) {
        if (value instanceof Undefined undefined) {
            throw undefined.used();
        }
        List<Object> elements = Values.elements(value);
        long stride = step == None.NONE ? 1 : Values.integer(step, "a slice's step");
        if (stride == 0) {
            throw JinjaException.of("a slice's step must not be 0");
        }
        int size = elements.size();
        long begin = stride > 0 ? bound(from, 0, 0, size) : bound(from, size - 1L, -1, size - 1L);
        long end = stride > 0 ? bound(to, size, 0, size) : bound(to, -1, -1, size - 1L);
        if (stride < 0 && to == None.NONE) {
            end = -1;
        }
        List<Object> out = new ArrayList<>();
        for (long i = begin; stride > 0 ? i < end : i > end; i += stride) {
            out.add(elements.get((int) i));
        }
        return value instanceof String
                ? out.stream().map(Written::str).collect(Collectors.joining())
                : out;
    }

    private static long bound(Object given, long usual, long least, long most) {
        if (given == None.NONE) {
            return usual;
        }
        long size = least < 0 ? most + 1 : most;
        long index = Values.integer(given, "a slice's bound");
        return Math.max(least, Math.min(most, index < 0 ? index + size : index));
    }
}
