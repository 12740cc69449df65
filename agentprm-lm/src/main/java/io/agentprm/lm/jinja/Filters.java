package io.agentprm.lm.jinja;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Jinja's filters: functions whose first argument stands before the bar. */
final class Filters {
    private Filters() {}

    static Optional<Function> named(String name) {
        return Optional.ofNullable(
                switch (name) {
                    case "trim" -> (Function) (a, k) -> method(a, "strip");
                    case "upper", "lower", "capitalize", "title", "replace" ->
                            (a, k) -> method(a, name);
                    case "length", "count" -> (a, k) -> Values.length(a.get(0));
                    case "string" -> (a, k) -> Written.str(a.get(0));
                    case "safe", "e", "escape", "forceescape" -> (a, k) -> Written.str(a.get(0));
                    case "tojson" -> Filters::json;
                    case "default", "d" -> Filters::orElse;
                    case "first" -> (a, k) -> Access.item(elements(a), 0L);
                    case "last" -> (a, k) -> Access.item(elements(a), -1L);
                    case "list" -> (a, k) -> elements(a);
                    case "reverse" -> (a, k) -> Access.slice(a.get(0), None.NONE, None.NONE, -1L);
                    case "items" ->
                            (a, k) ->
                                    a.get(0) instanceof Map<?, ?> map
                                            ? Methods.items(map)
                                            : List.of();
                    case "dictsort" -> (a, k) -> sorted(a);
                    case "join" -> Filters::join;
                    case "int" -> (a, k) -> integer(a.get(0));
                    case "float" -> (a, k) -> Values.number(a.get(0));
                    case "abs" ->
                            (a, k) ->
                                    Values.number(a.get(0)) < 0
                                            ? Operators.negate(a.get(0))
                                            : a.get(0);
                    case "indent" -> Filters::indent;
                    case "unique" -> (a, k) -> unique(elements(a));
                    case "map" -> Filters::map;
                    case "select" -> (a, k) -> selected(a, k, 1, true);
                    case "reject" -> (a, k) -> selected(a, k, 1, false);
                    case "selectattr" -> (a, k) -> selected(a, k, 2, true);
                    case "rejectattr" -> (a, k) -> selected(a, k, 2, false);
                    default -> null;
                });
    }

    private static Object method(List<Object> arguments, String method) {
        String text = Written.str(arguments.get(0));
        return Methods.of(text, method)
                .orElseThrow()
                .call(arguments.subList(1, arguments.size()), Map.of());
    }

    private static List<Object> elements(List<Object> arguments) {
        return Values.elements(arguments.get(0));
    }

    private static Object json(List<Object> arguments, Map<String, Object> named) {
        Object indent = named.getOrDefault("indent", None.NONE);
        return Written.json(
                arguments.get(0),
                indent == None.NONE ? -1 : (int) Values.integer(indent, "indent"));
    }

    private static Object orElse(List<Object> arguments, Map<String, Object> named) {
        Object value = arguments.get(0);
        Object other = Arguments.either(arguments, 1, named, "default_value").orElse("");
        boolean falseToo =
                Arguments.either(arguments, 2, named, "boolean").map(Values::truth).orElse(false);
        return value instanceof Undefined || falseToo && !Values.truth(value) ? other : value;
    }

    private static Object sorted(List<Object> arguments) {
        if (!(arguments.get(0) instanceof Map<?, ?> map)) {
            throw JinjaException.of("dictsort needs a map");
        }
        TreeMap<Object, Object> byKey = new TreeMap<>(Values::compare);
        byKey.putAll(map);
        return Methods.items(byKey);
    }

    private static Object join(List<Object> arguments, Map<String, Object> named) {
        String between = Written.str(Arguments.either(arguments, 1, named, "d").orElse(""));
        Optional<Object> attribute = Arguments.either(arguments, 2, named, "attribute");
        return elements(arguments).stream()
                .map(e -> attribute.map(a -> Access.item(e, a)).orElse(e))
                .map(Written::str)
                .collect(Collectors.joining(between));
    }

    private static Object integer(Object value) {
        if (value instanceof String text) {
            try {
                return Long.parseLong(text.strip());
            } catch (NumberFormatException e) {
                return 0L;
            }
        }
        return (long) Values.number(value);
    }

    private static Object indent(List<Object> arguments, Map<String, Object> named) {
        Object width = Arguments.either(arguments, 1, named, "width").orElse(4L);
        boolean first =
                Arguments.either(arguments, 2, named, "first").map(Values::truth).orElse(false);
        String margin =
                width instanceof String text
                        ? text
                        : " ".repeat((int) Values.integer(width, "indent"));
        String text = Written.str(arguments.get(0));
        String[] lines = text.split("\n", -1);
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < lines.length; i++) {
            boolean moved = i == 0 ? first : !lines[i].isEmpty();
            out.append(i == 0 ? "" : "\n").append(moved ? margin : "").append(lines[i]);
        }
        return out.toString();
    }

    private static Object unique(List<Object> elements) {
        List<Object> out = new ArrayList<>();
        for (Object element : elements) {
            if (!Values.contains(Collections.unmodifiableList(out), element)) {
                out.add(element);
            }
        }
        return out;
    }

    private static Object map(List<Object> arguments, Map<String, Object> named) {
        Object attribute = named.get("attribute");
        if (attribute != null) {
            Object other = named.get("default");
            return elements(arguments).stream()
                    .map(e -> path(e, Written.str(attribute)))
                    .map(v -> v instanceof Undefined && other != null ? other : v)
                    .toList();
        }
        String name = Arguments.text(arguments, 1, "map");
        Function filter = known(name);
        List<Object> rest = arguments.subList(2, arguments.size());
        List<Object> out = new ArrayList<>();
        for (Object element : elements(arguments)) {
            out.add(filter.call(prepended(element, rest), named));
        }
        return out;
    }

    private static Object path(Object value, String attribute) {
        Object at = value;
        for (String part : attribute.split("\\.", -1)) {
            at = Access.item(at, part);
        }
        return at;
    }

    /** Elements for which a test of them, or of an attribute, says what is wanted. */
    private static Object selected(
            List<Object> arguments, Map<String, Object> named, int testAt, boolean wanted) {
        Function test =
                testAt < arguments.size()
                        ? Tests.named(Arguments.text(arguments, testAt, "select"))
                        : (a, k) -> Values.truth(a.get(0));
        List<Object> rest =
                arguments.subList(Math.min(testAt + 1, arguments.size()), arguments.size());
        List<Object> out = new ArrayList<>();
        for (Object element : elements(arguments)) {
            Object tested =
                    testAt == 1
                            ? element
                            : path(element, Arguments.text(arguments, 1, "selectattr"));
            if (Values.truth(test.call(prepended(tested, rest), named)) == wanted) {
                out.add(element);
            }
        }
        return out;
    }

    static List<Object> prepended(Object first, List<Object> rest) {
        List<Object> all = new ArrayList<>();
        all.add(first);
        all.addAll(rest);
        return all;
    }

    static Function known(String name) {
        return named(name)
                .orElseThrow(
                        () ->
                                JinjaException.of(
                                        "the filter '"
                                                + name.toLowerCase(Locale.ROOT)
                                                + "' is not covered"));
    }
}
