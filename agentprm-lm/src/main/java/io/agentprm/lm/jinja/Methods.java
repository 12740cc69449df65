package io.agentprm.lm.jinja;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/** The methods of Python's texts and maps that templates call. */
final class Methods {
    private Methods() {}

    /** The method of that name, bound to the value. */
    static Optional<Function> of(Object value, String name) {
        if (value instanceof String text) {
            return ofText(text, name);
        } else if (value instanceof Map<?, ?> map) {
            return ofMap(map, name);
        }
        return Optional.empty();
    }

    private static Optional<Function> ofMap(Map<?, ?> map, String name) {
        return Optional.ofNullable(
                switch (name) {
                    case "items" -> (Function) (a, k) -> items(map);
                    case "keys" -> (a, k) -> new ArrayList<Object>(map.keySet());
                    case "values" -> (a, k) -> new ArrayList<Object>(map.values());
                    case "get" ->
                            (a, k) -> {
                                Object found = map.get(Arguments.first(a, "get"));
                                Object other = a.size() > 1 ? a.get(1) : None.NONE;
                                return found == null ? other : found;
                            };
                    default -> null;
                });
    }

    static List<Object> items(Map<?, ?> map) {
        List<Object> items = new ArrayList<>();
        map.forEach((key, value) -> items.add(List.of(key, value)));
        return items;
    }

    private static Optional<Function> ofText(String text, String name) {
        return Optional.ofNullable(
                switch (name) {
                    case "strip" ->
                            (Function)
                                    (a, k) ->
                                            Blanks.stripTrailing(
                                                    Blanks.stripLeading(text, dropped(a)),
                                                    dropped(a));
                    case "lstrip" -> (a, k) -> Blanks.stripLeading(text, dropped(a));
                    case "rstrip" -> (a, k) -> Blanks.stripTrailing(text, dropped(a));
                    case "upper" -> (a, k) -> text.toUpperCase(Locale.ROOT);
                    case "lower" -> (a, k) -> text.toLowerCase(Locale.ROOT);
                    case "capitalize" -> (a, k) -> capitalized(text);
                    case "title" -> (a, k) -> title(text);
                    case "startswith" -> (a, k) -> any(a, "startswith").anyMatch(text::startsWith);
                    case "endswith" -> (a, k) -> any(a, "endswith").anyMatch(text::endsWith);
                    case "split" -> (a, k) -> split(text, a);
                    case "splitlines" -> (a, k) -> List.copyOf(text.lines().toList());
                    case "replace" ->
                            (a, k) ->
                                    text.replace(
                                            Arguments.text(a, 0, "replace"),
                                            Arguments.text(a, 1, "replace"));
                    case "find" -> (a, k) -> (long) text.indexOf(Arguments.text(a, 0, "find"));
                    case "count" -> (a, k) -> count(text, Arguments.text(a, 0, "count"));
                    case "join" ->
                            (a, k) ->
                                    Values.elements(Arguments.first(a, "join")).stream()
                                            .map(part -> Values.text(part, "a part to join"))
                                            .collect(Collectors.joining(text));
                    case "removeprefix" ->
                            (a, k) -> {
                                String prefix = Arguments.text(a, 0, name);
                                return text.startsWith(prefix)
                                        ? text.substring(prefix.length())
                                        : text;
                            };
                    case "removesuffix" ->
                            (a, k) -> {
                                String suffix = Arguments.text(a, 0, name);
                                return text.endsWith(suffix)
                                        ? text.substring(0, text.length() - suffix.length())
                                        : text;
                            };
                    default -> null;
                });
    }

    private static IntPredicate dropped(List<Object> arguments) {
        if (arguments.isEmpty() || arguments.get(0) == None.NONE) {
            return Blanks::isBlank;
        }
        String characters = Arguments.text(arguments, 0, "strip");
        return c -> characters.indexOf(c) >= 0;
    }

    /** A text, or each of a list of texts. */
    private static java.util.stream.Stream<String> any(List<Object> arguments, String method) {
        Object first = Arguments.first(arguments, method);
        List<?> all = first instanceof List<?> list ? list : List.of(first);
        return all.stream().map(one -> Values.text(one, method));
    }

    private static Object split(String text, List<Object> arguments) {
        boolean blanks = arguments.isEmpty() || arguments.get(0) == None.NONE;
        long most = arguments.size() > 1 ? Values.integer(arguments.get(1), "maxsplit") : -1;
        String rest = blanks ? Blanks.stripLeading(text) : text;
        List<Object> parts = new ArrayList<>();
        while (most < 0 || parts.size() < most) {
            int begin = blanks ? firstBlank(rest) : rest.indexOf(separator(arguments));
            if (begin < 0) {
                break;
            }
            parts.add(rest.substring(0, begin));
            rest =
                    blanks
                            ? Blanks.stripLeading(rest.substring(begin))
                            : rest.substring(begin + separator(arguments).length());
        }
        if (!blanks || !rest.isEmpty()) {
            parts.add(rest);
        }
        return parts;
    }

    private static String separator(List<Object> arguments) {
        String separator = Arguments.text(arguments, 0, "split");
        if (separator.isEmpty()) {
            throw JinjaException.of("split needs a separator with text");
        }
        return separator;
    }

    private static int firstBlank(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Blanks.isBlank(text.charAt(i))) {
                return i;
            }
        }
        return -1;
    }

    private static long count(String text, String part) {
        long count = 0;
        for (int at = text.indexOf(part);
                at >= 0 && !part.isEmpty();
                at = text.indexOf(part, at + part.length())) {
            count++;
        }
        return count;
    }

    static String capitalized(String text) {
        return text.isEmpty()
                ? text
                : text.substring(0, 1).toUpperCase(Locale.ROOT)
                        + text.substring(1).toLowerCase(Locale.ROOT);
    }

    static String title(String text) {
        StringBuilder out = new StringBuilder();
        boolean inside = false;
        for (char c : text.toCharArray()) {
            out.append(inside ? Character.toLowerCase(c) : Character.toTitleCase(c));
            inside = Character.isLetter(c);
        }
        return out.toString();
    }
}
