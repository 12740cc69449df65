package io.agentprm.lm.jinja;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The functions that every template has. There is no {@code strftime_now}: a prompt that tells the
 * date would change from day to day, and templates that use it have a date of their own where it is
 * missing.
 */
final class Globals {
    private static final int MOST = 1_000_000;

    private Globals() {}

    static Map<String, Object> functions() {
        return Map.of(
                "raise_exception",
                (Function)
                        (a, k) -> {
                            throw JinjaException.of(
                                    "the template refuses the conversation: "
                                            + Written.str(Arguments.first(a, "raise_exception")));
                        },
                "namespace",
                (Function) (a, k) -> new Namespace(k),
                "dict",
                (Function) (a, k) -> new LinkedHashMap<Object, Object>(k),
                "range",
                (Function) (a, k) -> range(a));
    }

    private static List<Object> range(List<Object> arguments) {
        long first = Values.integer(Arguments.first(arguments, "range"), "range");
        long from = arguments.size() > 1 ? first : 0;
        long to = arguments.size() > 1 ? Values.integer(arguments.get(1), "range") : first;
        long step = arguments.size() > 2 ? Values.integer(arguments.get(2), "range") : 1;
        if (step == 0 || Math.abs((to - from) / step) > MOST) {
            throw JinjaException.of("range needs a step and at most " + MOST + " numbers");
        }
        List<Object> numbers = new ArrayList<>();
        for (long i = from; step > 0 ? i < to : i > to; i += step) {
            numbers.add(i);
        }
        return numbers;
    }
}
