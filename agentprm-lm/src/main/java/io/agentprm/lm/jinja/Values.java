package io.agentprm.lm.jinja;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The values of templates and what Python makes of them: texts, whole numbers ({@code Long}),
 * fractions ({@code Double}), truth values, {@link None}, lists, maps, {@link Undefined}, {@link
 * Namespace} and {@link Function}.
 */
final class Values {
    private Values() {}

    /** The template's value for one of Java's; {@code null} and empty become None. */
    static Object of(Object java) {
        if (java == null) {
            return None.NONE;
        } else if (java instanceof Optional<?> optional) {
            return optional.isPresent() ? of(optional.get()) : None.NONE;
        } else if (java instanceof Integer number) {
            return (long) number;
        } else if (java instanceof Float number) {
            return (double) number;
        } else if (java instanceof List<?> list) {
            return list.stream().map(Values::of).toList();
        } else if (java instanceof Map<?, ?> map) {
            Map<Object, Object> out = new LinkedHashMap<>();
            map.forEach((key, value) -> out.put(of(key), of(value)));
            return out;
        } else if (java instanceof String
                || java instanceof Long
                || java instanceof Double
                || java instanceof Boolean) {
            return java;
        }
        throw new IllegalArgumentException(
                "a template cannot be given a " + java.getClass().getName());
    }

    static boolean truth(Object value) {
        if (value instanceof Boolean truth) {
            return truth;
        } else if (value instanceof String text) {
            return !text.isEmpty();
        } else if (value instanceof Number number) {
            return number.doubleValue() != 0;
        } else if (value instanceof List<?> list) {
            return !list.isEmpty();
        } else if (value instanceof Map<?, ?> map) {
            return !map.isEmpty();
        }
        return value != None.NONE && !(value instanceof Undefined);
    }

    static boolean equal(Object left, Object right) {
        if (isNumber(left) && isNumber(right)) {
            return number(left) == number(right);
        } else if (left instanceof List<?> a && right instanceof List<?> b) {
            if (a.size() != b.size()) {
                return false;
            }
            for (int i = 0; i < a.size(); i++) {
                if (!equal(a.get(i), b.get(i))) {
                    return false;
                }
            }
            return true;
        } else if (left instanceof Undefined) {
            return right instanceof Undefined;
        }
        return left.equals(right);
    }

    static int compare(Object left, Object right) {
        if (isNumber(left) && isNumber(right)) {
            return Double.compare(number(left), number(right));
        } else if (left instanceof String a && right instanceof String b) {
            return a.compareTo(b);
        }
        throw mismatch("compare", left, right);
    }

    static boolean contains(Object whole, Object part) {
        if (whole instanceof String text) {
            return text.contains(text(part, "a text to look for"));
        } else if (whole instanceof Map<?, ?> map) {
            return map.containsKey(part);
        }
        return elements(whole).stream().anyMatch(element -> equal(element, part));
    }

    /** What a loop goes through: elements, the keys of a map, the characters of a text. */
    static List<Object> elements(Object value) {
        if (value instanceof List<?> list) {
            return List.copyOf(list);
        } else if (value instanceof Map<?, ?> map) {
            return List.copyOf(map.keySet());
        } else if (value instanceof String text) {
            List<Object> characters = new ArrayList<>();
            text.codePoints().forEach(c -> characters.add(Character.toString(c)));
            return characters;
        } else if (value instanceof Undefined) {
            return List.of();
        }
        throw JinjaException.of("a " + type(value) + " has no elements");
    }

    static long length(Object value) {
        return elements(value).size();
    }

    static boolean isNumber(Object value) {
        return value instanceof Long || value instanceof Double || value instanceof Boolean;
    }

    static double number(Object value) {
        if (value instanceof Boolean truth) {
            return truth ? 1 : 0;
        } else if (value instanceof Number number) {
            return number.doubleValue();
        } else if (value instanceof Undefined undefined) {
            throw undefined.used();
        }
        throw JinjaException.of("a " + type(value) + " is no number");
    }

    static long integer(Object value, String what) {
        if (value instanceof Long number) {
            return number;
        } else if (value instanceof Boolean truth) {
            return truth ? 1 : 0;
        }
        throw JinjaException.of(what + " must be a whole number, was a " + type(value));
    }

    static String text(Object value, String what) {
        if (value instanceof String text) {
            return text;
        } else if (value instanceof Undefined undefined) {
            throw undefined.used();
        }
        throw JinjaException.of(what + " must be a text, was a " + type(value));
    }

    static JinjaException mismatch(String operation, Object left, Object right) {
        return left instanceof Undefined undefined
                ? undefined.used()
                : right instanceof Undefined other
                        ? other.used()
                        : JinjaException.of(
                                "cannot "
                                        + operation
                                        + " a "
                                        + type(left)
                                        + " and a "
                                        + type(right));
    }

    static String type(Object value) {
        if (value instanceof String) {
            return "text";
        } else if (value instanceof Boolean) {
            return "truth value";
        } else if (value instanceof Number) {
            return "number";
        } else if (value instanceof List<?>) {
            return "list";
        } else if (value instanceof Map<?, ?>) {
            return "map";
        } else if (value instanceof Undefined undefined) {
            return "missing '" + undefined.name() + "'";
        }
        return value == None.NONE ? "None" : value.getClass().getSimpleName();
    }
}
