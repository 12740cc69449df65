package io.agentprm.core.config;

import io.agentprm.core.config.ConfigException.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Collects what is wrong, so that one run of the program shows all of it. */
final class Problems {
    private static final Object BROKEN = new Object();

    private final List<Problem> list = new ArrayList<>();

    /** The value, or a placeholder that is never used since {@link #throwIfAny} comes before. */
    Object collect(Supplier<Object> binding) {
        try {
            return binding.get();
        } catch (ConfigException e) {
            list.addAll(e.problems());
            return BROKEN;
        }
    }

    void add(Location location, String key, String message) {
        list.add(new Problem(location, key, message));
    }

    void throwIfAny() {
        if (!list.isEmpty()) {
            throw new ConfigException(list);
        }
    }
}
