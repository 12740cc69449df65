package io.agentprm.lm.jinja;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Values as Python writes them: {@code str}, {@code repr} and {@code json.dumps}. */
final class Written {
    private Written() {}

    /** What the template writes for a value. */
    static String str(Object value) {
        return value instanceof String text ? text : repr(value);
    }

    static String repr(Object value) {
        if (value instanceof String text) {
            return quoted(text);
        } else if (value instanceof Boolean truth) {
            return truth ? "True" : "False";
        } else if (value instanceof Double number) {
            return fraction(number);
        } else if (value == None.NONE) {
            return "None";
        } else if (value instanceof Undefined) {
            return "";
        } else if (value instanceof List<?> list) {
            return list.stream().map(Written::repr).collect(Collectors.joining(", ", "[", "]"));
        } else if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(e -> repr(e.getKey()) + ": " + repr(e.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        } else if (value instanceof Long number) {
            return Long.toString(number);
        }
        throw JinjaException.of("a " + Values.type(value) + " cannot be written");
    }

    private static String quoted(String text) {
        String quote = text.contains("'") && !text.contains("\"") ? "\"" : "'";
        String escaped =
                text.replace("\\", "\\\\")
                        .replace("\n", "\\n")
                        .replace("\r", "\\r")
                        .replace("\t", "\\t");
        return quote + (quote.equals("'") ? escaped.replace("'", "\\'") : escaped) + quote;
    }

    /** The shortest text that reads back as the number; powers of ten as Python writes them. */
    private static String fraction(double number) {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            return Double.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf";
        }
        double size = Math.abs(number);
        if (size == 0 || size >= 1e-4 && size < 1e16) {
            String plain = new BigDecimal(Double.toString(number)).toPlainString();
            return plain.contains(".") ? plain : plain + ".0";
        }
        String[] parts = Double.toString(number).split("E", -1);
        int exponent = Integer.parseInt(parts[1]);
        String digits = parts[0].endsWith(".0") ? parts[0].replace(".0", "") : parts[0];
        String sign = exponent < 0 ? "-" : "+";
        String power = Integer.toString(Math.abs(exponent));
        return digits + "e" + sign + (power.length() < 2 ? "0" + power : power);
    }

    /**
     * JSON with Python's separators and letters beyond ASCII as they are.
     *
     * @param indent blanks for each level; negative for one line
     */
    static String json(Object value, int indent) {
        StringBuilder out = new StringBuilder();
        json(value, indent, 0, out);
        return out.toString();
    }

    private static void json(Object value, int indent, int depth, StringBuilder out) {
        if (value instanceof String text) {
            jsonText(text, out);
        } else if (value instanceof Map<?, ?> map) {
            String separator = "{";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                separate(out, separator, indent, depth + 1);
                jsonText(Written.str(entry.getKey()), out);
                out.append(": ");
                json(entry.getValue(), indent, depth + 1, out);
                separator = ",";
            }
            close(out, map.isEmpty() ? "{}" : "}", map.isEmpty() ? -1 : indent, depth);
        } else if (value instanceof List<?> list) {
            String separator = "[";
            for (Object element : list) {
                separate(out, separator, indent, depth + 1);
                json(element, indent, depth + 1, out);
                separator = ",";
            }
            close(out, list.isEmpty() ? "[]" : "]", list.isEmpty() ? -1 : indent, depth);
        } else if (value instanceof Boolean truth) {
            out.append(truth ? "true" : "false");
        } else if (value == None.NONE) {
            out.append("null");
        } else if (Values.isNumber(value)) {
            out.append(repr(value));
        } else if (value instanceof Undefined undefined) {
            throw undefined.used();
        } else {
            throw JinjaException.of("a " + Values.type(value) + " is no JSON");
        }
    }

    private static void separate(StringBuilder out, String separator, int indent, int depth) {
        out.append(separator);
        if (indent >= 0) {
            out.append('\n').append(" ".repeat(indent * depth));
        } else if (separator.equals(",")) {
            out.append(' ');
        }
    }

    private static void close(StringBuilder out, String bracket, int indent, int depth) {
        if (indent >= 0) {
            out.append('\n').append(" ".repeat(indent * depth));
        }
        out.append(bracket);
    }

    private static void jsonText(String text, StringBuilder out) {
        out.append('"');
        text.chars()
                .forEach(
                        c -> {
                            switch (c) {
                                case '"' -> out.append("\\\"");
                                case '\\' -> out.append("\\\\");
                                case '\n' -> out.append("\\n");
                                case '\r' -> out.append("\\r");
                                case '\t' -> out.append("\\t");
                                case '\b' -> out.append("\\b");
                                case '\f' -> out.append("\\f");
                                default -> {
                                    if (c < 0x20) {
                                        out.append("\\u00")
                                                .append(Character.forDigit(c >> 4, 16))
                                                .append(Character.forDigit(c & 15, 16));
                                    } else {
                                        out.append((char) c);
                                    }
                                }
                            }
                        });
        out.append('"');
    }
}
