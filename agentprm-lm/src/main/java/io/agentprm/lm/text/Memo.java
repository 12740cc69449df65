package io.agentprm.lm.text;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Remembers the values of a pure function, and starts afresh when it has grown too large.
 * Thread-safe.
 */
final class Memo<V> {
    private static final int LIMIT = 100_000;

    private final Map<String, V> values = new ConcurrentHashMap<>();
    private final Function<String, V> function;

    Memo(Function<String, V> function) {
        this.function = function;
    }

    V of(String key) {
        V known = values.get(key);
        if (known != null) {
            return known;
        }
        if (values.size() >= LIMIT) {
            values.clear();
        }
        V value = function.apply(key);
        values.put(key, value);
        return value;
    }
}
