package io.agentprm.lm.jinja;

import java.util.List;
import java.util.Map;

/** Jinja's tests: what may stand after {@code is}. */
final class Tests {
    private Tests() {}

    static Function named(String name) {
        return switch (name) {
            case "defined" -> (a, k) -> !(a.get(0) instanceof Undefined);
            case "undefined" -> (a, k) -> a.get(0) instanceof Undefined;
            case "none" -> (a, k) -> a.get(0) == None.NONE;
            case "string" -> (a, k) -> a.get(0) instanceof String;
            case "boolean" -> (a, k) -> a.get(0) instanceof Boolean;
            case "true" -> (a, k) -> a.get(0).equals(true);
            case "false" -> (a, k) -> a.get(0).equals(false);
            case "number" -> (a, k) -> Values.isNumber(a.get(0));
            case "integer" -> (a, k) -> a.get(0) instanceof Long;
            case "float" -> (a, k) -> a.get(0) instanceof Double;
            case "mapping" -> (a, k) -> a.get(0) instanceof Map;
            // An undefined value is an empty sequence in Jinja.
            case "iterable", "sequence" ->
                    (a, k) ->
                            a.get(0) instanceof List
                                    || a.get(0) instanceof Map
                                    || a.get(0) instanceof String
                                    || a.get(0) instanceof Undefined;
            case "callable" -> (a, k) -> a.get(0) instanceof Function;
            case "odd" -> (a, k) -> Values.integer(a.get(0), "odd") % 2 != 0;
            case "even" -> (a, k) -> Values.integer(a.get(0), "even") % 2 == 0;
            case "divisibleby" ->
                    (a, k) -> Operators.remainder(a.get(0), Arguments.at(a, 1, name)).equals(0L);
            case "in" -> (a, k) -> Values.contains(Arguments.at(a, 1, name), a.get(0));
            case "eq", "equalto", "==", "sameas" ->
                    (a, k) -> Values.equal(a.get(0), Arguments.at(a, 1, name));
            case "ne", "!=" -> (a, k) -> !Values.equal(a.get(0), Arguments.at(a, 1, name));
            case "lt", "lessthan", "<" ->
                    (a, k) -> Values.compare(a.get(0), Arguments.at(a, 1, name)) < 0;
            case "le", "<=" -> (a, k) -> Values.compare(a.get(0), Arguments.at(a, 1, name)) <= 0;
            case "gt", "greaterthan", ">" ->
                    (a, k) -> Values.compare(a.get(0), Arguments.at(a, 1, name)) > 0;
            case "ge", ">=" -> (a, k) -> Values.compare(a.get(0), Arguments.at(a, 1, name)) >= 0;
            default -> throw JinjaException.of("the test '" + name + "' is not covered");
        };
    }
}
