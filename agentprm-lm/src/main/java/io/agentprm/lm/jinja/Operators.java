package io.agentprm.lm.jinja;

import java.util.ArrayList;
import java.util.List;

/** Python's operators on values. */
final class Operators {
    private Operators() {}

    static Object add(Object left, Object right) {
        if (left instanceof String a && right instanceof String b) {
            return a + b;
        } else if (left instanceof List<?> a && right instanceof List<?> b) {
            List<Object> all = new ArrayList<>(a);
            all.addAll(b);
            return all;
        } else if (whole(left, right)) {
            return integer(left) + integer(right);
        } else if (Values.isNumber(left) && Values.isNumber(right)) {
            return Values.number(left) + Values.number(right);
        }
        throw Values.mismatch("add", left, right);
    }

    static Object subtract(Object left, Object right) {
        return whole(left, right)
                ? (Object) (integer(left) - integer(right))
                : (Object) (Values.number(left) - Values.number(right));
    }

    static Object multiply(Object left, Object right) {
        if (left instanceof String text) {
            return text.repeat((int) Math.max(0, Values.integer(right, "a repetition")));
        }
        return whole(left, right)
                ? (Object) (integer(left) * integer(right))
                : (Object) (Values.number(left) * Values.number(right));
    }

    static Object divide(Object left, Object right) {
        requireDivisor(right);
        return Values.number(left) / Values.number(right);
    }

    static Object divideDown(Object left, Object right) {
        requireDivisor(right);
        return whole(left, right)
                ? (Object) Math.floorDiv(integer(left), integer(right))
                : (Object) Math.floor(Values.number(left) / Values.number(right));
    }

    static Object remainder(Object left, Object right) {
        requireDivisor(right);
        if (whole(left, right)) {
            return Math.floorMod(integer(left), integer(right));
        }
        double a = Values.number(left);
        double b = Values.number(right);
        return a - b * Math.floor(a / b);
    }

    static Object power(Object left, Object right) {
        double value = Math.pow(Values.number(left), Values.number(right));
        return whole(left, right) && integer(right) >= 0 ? (Object) (long) value : (Object) value;
    }

    static Object negate(Object value) {
        return whole(value, value) ? (Object) (-integer(value)) : (Object) (-Values.number(value));
    }

    private static void requireDivisor(Object divisor) {
        if (Values.number(divisor) == 0) {
            throw JinjaException.of("division by zero");
        }
    }

    private static boolean whole(Object left, Object right) {
        return isWhole(left) && isWhole(right);
    }

    private static boolean isWhole(Object value) {
        return value instanceof Long || value instanceof Boolean;
    }

    private static long integer(Object value) {
        return Values.integer(value, "a number");
    }
}
