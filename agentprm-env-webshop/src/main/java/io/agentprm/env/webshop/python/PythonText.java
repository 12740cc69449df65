package io.agentprm.env.webshop.python;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;

/** Text as Python makes it. */
public final class PythonText {
    /** Order of strings in Python. */
    public static final Comparator<String> BY_CODE_POINT =
            (a, b) -> Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());

    private static final String HEX = "0123456789abcdef";

    private PythonText() {}

    /** {@code str.isspace} of one character. */
    public static boolean isSpace(char c) {
        if (c <= ' ') {
            return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1C && c <= 0x1F);
        }
        if (c < 0x1680) {
            return c == 0x85 || c == 0xA0;
        }
        return c == 0x1680
                || (c >= 0x2000 && c <= 0x200A)
                || c == 0x2028
                || c == 0x2029
                || c == 0x202F
                || c == 0x205F
                || c == 0x3000;
    }

    /** {@code text.strip()}, which unlike Java's also takes no-break spaces. */
    public static String strip(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isSpace(text.charAt(from))) {
            from++;
        }
        while (to > from && isSpace(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    /** {@code text.strip(letter)}. */
    public static String strip(String text, char letter) {
        int from = 0;
        int to = text.length();
        while (from < to && text.charAt(from) == letter) {
            from++;
        }
        while (to > from && text.charAt(to - 1) == letter) {
            to--;
        }
        return text.substring(from, to);
    }

    /** {@code text.lower()}. */
    public static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /**
     * {@code repr} of a float: the shortest digits that read back as the same number, in scientific
     * notation below 1e-4 and from 1e16. Java 17's {@code Double.toString} is not always shortest.
     *
     * @param number finite
     */
    public static String repr(double number) {
        if (number == 0) {
            return 1 / number < 0 ? "-0.0" : "0.0";
        }
        BigDecimal shortest = shortest(number).stripTrailingZeros();
        int exponent = shortest.precision() - shortest.scale() - 1;
        if (exponent >= -4 && exponent < 16) {
            String plain = shortest.toPlainString();
            return plain.indexOf('.') < 0 ? plain + ".0" : plain;
        }
        String digits = shortest.unscaledValue().abs().toString();
        return (number < 0 ? "-" : "")
                + digits.charAt(0)
                + (digits.length() > 1 ? "." + digits.substring(1) : "")
                + (exponent < 0 ? "e-" : "e+")
                + (Math.abs(exponent) < 10 ? "0" : "")
                + Math.abs(exponent);
    }

    private static BigDecimal shortest(double number) {
        BigDecimal exact = new BigDecimal(number);
        for (int digits = 1; digits < 17; digits++) {
            BigDecimal rounded = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
            if (rounded.doubleValue() == number) {
                return rounded;
            }
        }
        return exact.round(new MathContext(17, RoundingMode.HALF_EVEN));
    }

    /** {@code repr} of a string: single quotes unless it holds these and no double ones. */
    public static String repr(String text) {
        char quote = text.indexOf('\'') >= 0 && text.indexOf('"') < 0 ? '"' : '\'';
        StringBuilder out = new StringBuilder().append(quote);
        text.codePoints()
                .forEach(
                        c -> {
                            switch (c) {
                                case '\n' -> out.append("\\n");
                                case '\r' -> out.append("\\r");
                                case '\t' -> out.append("\\t");
                                case '\\' -> out.append("\\\\");
                                default -> {
                                    if (c == quote) {
                                        out.append('\\').append(quote);
                                    } else if (isPrintable(c)) {
                                        out.appendCodePoint(c);
                                    } else {
                                        escape(out, c);
                                    }
                                }
                            }
                        });
        return out.append(quote).toString();
    }

    private static boolean isPrintable(int c) {
        if (c == ' ') {
            return true;
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SPACE_SEPARATOR ->
                    false;
            default -> true;
        };
    }

    private static void escape(StringBuilder out, int c) {
        int digits = c < 0x100 ? 2 : c < 0x10000 ? 4 : 8;
        out.append('\\').append(digits == 2 ? 'x' : digits == 4 ? 'u' : 'U');
        hex(out, c, digits);
    }

    private static void hex(StringBuilder out, int c, int digits) {
        for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
            out.append(HEX.charAt(c >>> shift & 15));
        }
    }

    /** {@code repr} of a dict of strings. */
    public static String repr(Map<String, String> dict) {
        StringBuilder out = new StringBuilder("{");
        String separator = "";
        for (Map.Entry<String, String> entry : dict.entrySet()) {
            out.append(separator)
                    .append(repr(entry.getKey()))
                    .append(": ")
                    .append(repr(entry.getValue()));
            separator = ", ";
        }
        return out.append('}').toString();
    }

    /** {@code json.dumps} of a dict of strings: everything outside ASCII is escaped. */
    public static String json(Map<String, String> dict) {
        return json(dict, "");
    }

    /**
     * Flask's {@code tojson} without its sorting: {@code <}, {@code >}, &amp; and ' escaped too.
     */
    public static String htmlSafeJson(Map<String, String> dict) {
        return json(dict, "<>&'");
    }

    private static String json(Map<String, String> dict, String escaped) {
        StringBuilder out = new StringBuilder("{");
        String separator = "";
        for (Map.Entry<String, String> entry : dict.entrySet()) {
            out.append(separator);
            quote(out, entry.getKey(), escaped);
            out.append(": ");
            quote(out, entry.getValue(), escaped);
            separator = ", ";
        }
        return out.append('}').toString();
    }

    private static void quote(StringBuilder out, String text, String escaped) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                default -> {
                    if (c < ' ' || c > '~' || escaped.indexOf(c) >= 0) {
                        out.append("\\u");
                        hex(out, c, 4);
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
