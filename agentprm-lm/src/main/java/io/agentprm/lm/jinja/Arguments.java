package io.agentprm.lm.jinja;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the arguments of a call. */
final class Arguments {
    private Arguments() {}

    static Object first(List<Object> arguments, String function) {
        return at(arguments, 0, function);
    }

    static Object at(List<Object> arguments, int place, String function) {
        if (place >= arguments.size()) {
            throw JinjaException.of(function + " needs " + (place + 1) + " arguments");
        }
        return arguments.get(place);
    }

    static String text(List<Object> arguments, int place, String function) {
        return Values.text(at(arguments, place, function), "an argument of " + function);
    }

    /** An argument that may be given by place or by name. */
    static Optional<Object> either(
            List<Object> arguments, int place, Map<String, Object> named, String name) {
        return place < arguments.size()
                ? Optional.of(arguments.get(place))
                : Optional.ofNullable(named.get(name));
    }
}
