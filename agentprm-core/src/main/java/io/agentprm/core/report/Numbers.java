package io.agentprm.core.report;

import java.util.Locale;

/** Numbers as the report writes them; the same in every locale. */
final class Numbers {
    private static final String MISSING = "–";

    private Numbers() {}

    static String fixed(double value, int digits) {
        if (!Double.isFinite(value)) {
            return MISSING;
        }
        String text = String.format(Locale.ROOT, "%." + digits + "f", value);
        if (text.startsWith("-")) {
            boolean zero = text.chars().noneMatch(c -> c >= '1' && c <= '9');
            return zero ? text.substring(1) : "−" + text.substring(1);
        }
        return text;
    }

    /** A fraction in percent, without the sign. */
    static String percent(double fraction) {
        return fixed(100 * fraction, 1);
    }

    /** A difference of fractions in percentage points, with its sign. */
    static String points(double difference) {
        String text = percent(difference);
        boolean positive = difference > 0 && text.chars().anyMatch(c -> c >= '1' && c <= '9');
        return positive ? "+" + text : text;
    }

    static String interval(Estimate estimate) {
        return estimate.hasInterval()
                ? "[" + percent(estimate.low()) + ", " + percent(estimate.high()) + "]"
                : "";
    }

    static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value).replace(',', '\u2009');
    }

    /** Three significant digits, without trailing zeros. */
    static String compact(double value) {
        double size = Math.abs(value);
        if (!Double.isFinite(value)) {
            return MISSING;
        }
        if (size == 0) {
            return "0";
        }
        if (size < 1e-3 || size >= 1e6) {
            return String.format(Locale.ROOT, "%.1e", value)
                    .replaceFirst("\\.0e", "e")
                    .replaceFirst("e([+-])0*(\\d)", "e$1$2")
                    .replace("e+", "e")
                    .replace('-', '−');
        }
        int digits = Math.max(0, 2 - (int) Math.floor(Math.log10(size)));
        String text = fixed(value, digits);
        return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
    }

    /** A coordinate of a drawing: at most two digits after the point. */
    static String coordinate(double value) {
        String text = String.format(Locale.ROOT, "%.2f", value + 0.0);
        text = text.replaceFirst("\\.?0+$", "");
        return text.equals("-0") ? "0" : text;
    }
}
