package io.agentprm.env.alfworld.household;

import java.util.Set;

/**
 * An object.
 *
 * @param id its id
 * @param type class without the word "type", in lower case
 * @param properties predicates of one argument that hold of it, in lower case: {@code pickupable},
 *     {@code cleanable}, {@code iscool}, {@code istoggled}, ...
 */
public record Thing(String id, String type, Set<String> properties) {
    public Thing {
        properties = Set.copyOf(properties);
    }

    public boolean is(String property) {
        return properties.contains(property);
    }
}
