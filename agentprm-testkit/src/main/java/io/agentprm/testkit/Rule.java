package io.agentprm.testkit;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.function.Executable;
import org.opentest4j.AssertionFailedError;

/**
 * A rule of a contract. Its failure says which rule is broken, where, what was expected, what was
 * seen, and what to do about it.
 *
 * @param text the rule as a sentence, without a full stop
 * @param remedy what the author of the plugin does about it
 */
record Rule(String text, String remedy) {
    private static final int LONGEST_VALUE = 400;

    static Rule of(String text, String remedy) {
        return new Rule(text, remedy);
    }

    /** Fails unless both are equal. */
    void same(Object expected, Object seen, String where) {
        if (!Objects.equals(expected, seen)) {
            throw broken(where, expected, seen);
        }
    }

    /** Fails at the first line that differs. */
    void sameLines(List<String> expected, List<String> seen, String where) {
        for (int i = 0; i < Math.max(expected.size(), seen.size()); i++) {
            String wanted = i < expected.size() ? expected.get(i) : "nothing more";
            String got = i < seen.size() ? seen.get(i) : "nothing more";
            same(wanted, got, where + ", line " + i);
        }
    }

    /** Fails unless both have the same length and all numbers lie within the tolerance. */
    void near(double[] expected, double[] seen, double tolerance, String where) {
        same(expected.length, seen.length, where + ", number of values");
        for (int i = 0; i < expected.length; i++) {
            boolean near = Math.abs(expected[i] - seen[i]) <= tolerance;
            if (!near && Double.compare(expected[i], seen[i]) != 0) {
                throw broken(where + ", value " + i, expected[i] + " +- " + tolerance, seen[i]);
            }
        }
    }

    /** Fails unless the condition holds. */
    void holds(boolean kept, String where, Object expected, Object seen) {
        if (!kept) {
            throw broken(where, expected, seen);
        }
    }

    /** Fails unless the call throws an exception of this type, which is returned. */
    <T extends Throwable> T refused(Class<T> type, String where, Executable call) {
        String seen = "no exception";
        try {
            call.execute();
        } catch (Throwable e) {
            if (type.isInstance(e)) {
                return type.cast(e);
            }
            seen = e.toString();
        }
        throw broken(where, "an exception of type " + type.getSimpleName(), seen);
    }

    /** Fails if the call throws anything but an exception of this type. */
    void answeredOrRefused(Class<? extends Throwable> type, String where, Executable call) {
        try {
            call.execute();
        } catch (AssertionFailedError e) {
            throw e;
        } catch (Throwable e) {
            if (!type.isInstance(e)) {
                throw broken(where, "an answer, or a " + type.getSimpleName(), e);
            }
        }
    }

    /** Fails if the call throws. */
    void answered(String where, Executable call) {
        try {
            call.execute();
        } catch (AssertionFailedError e) {
            throw e;
        } catch (Throwable e) {
            throw broken(where, "no exception", e);
        }
    }

    AssertionFailedError broken(String where, Object expected, Object seen) {
        String message =
                "Rule broken: "
                        + text
                        + ".\n  where: "
                        + where
                        + "\n  expected: "
                        + shortened(expected)
                        + "\n  seen: "
                        + shortened(seen)
                        + "\n  what to do: "
                        + remedy;
        AssertionFailedError error = new AssertionFailedError(message, expected, seen);
        if (seen instanceof Throwable cause) {
            error.initCause(cause);
        }
        return error;
    }

    private static String shortened(Object value) {
        String text = String.valueOf(value);
        return text.length() <= LONGEST_VALUE
                ? text
                : text.substring(0, LONGEST_VALUE) + "... (" + text.length() + " characters)";
    }
}
