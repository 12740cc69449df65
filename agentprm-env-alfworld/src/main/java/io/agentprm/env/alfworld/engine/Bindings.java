package io.agentprm.env.alfworld.engine;

import io.agentprm.env.alfworld.twl2.Query.Placeholder;
import java.util.Optional;

/** What placeholders stand for: a chain, newest first. */
record Bindings(Placeholder placeholder, int entity, Optional<Bindings> rest) {
    static final Optional<Bindings> NONE = Optional.empty();

    static Optional<Bindings> bind(Optional<Bindings> rest, Placeholder placeholder, int entity) {
        return Optional.of(new Bindings(placeholder, entity, rest));
    }

    /** Entity of a placeholder, negative if it has none. */
    static int find(Optional<Bindings> bindings, Placeholder placeholder) {
        for (Optional<Bindings> b = bindings; b.isPresent(); b = b.get().rest) {
            if (b.get().placeholder.equals(placeholder)) {
                return b.get().entity;
            }
        }
        return -1;
    }

    /** Entity of the newest placeholder of that name, whatever its type; negative if none. */
    static int find(Optional<Bindings> bindings, String name) {
        for (Optional<Bindings> b = bindings; b.isPresent(); b = b.get().rest) {
            if (b.get().placeholder.name().equals(name)) {
                return b.get().entity;
            }
        }
        return -1;
    }

    /** True if some placeholder stands for the entity. */
    static boolean takes(Optional<Bindings> bindings, int entity) {
        for (Optional<Bindings> b = bindings; b.isPresent(); b = b.get().rest) {
            if (b.get().entity == entity) {
                return true;
            }
        }
        return false;
    }
}
