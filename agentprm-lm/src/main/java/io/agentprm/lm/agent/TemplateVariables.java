package io.agentprm.lm.agent;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Variables of a chat template as a configuration writes them. */
final class TemplateVariables {
    /** YAML's and Python's spellings; as a text, {@code False} would count as true. */
    private static final Pattern TRUTH = Pattern.compile("true|True|TRUE|false|False|FALSE");

    private static final Pattern WHOLE = Pattern.compile("-?\\d{1,18}");
    private static final Pattern DECIMAL = Pattern.compile("-?\\d+\\.\\d+");

    private TemplateVariables() {}

    /** The same with truth values and numbers as such: {@code is false} is not true of a text. */
    static Map<String, Object> of(Map<String, String> texts) {
        Map<String, Object> values = new LinkedHashMap<>();
        texts.forEach((name, text) -> values.put(name, value(text)));
        return values;
    }

    private static Object value(String text) {
        if (TRUTH.matcher(text).matches()) {
            return text.equalsIgnoreCase("true");
        }
        if (WHOLE.matcher(text).matches()) {
            return Long.parseLong(text);
        }
        return DECIMAL.matcher(text).matches() ? (Object) Double.parseDouble(text) : text;
    }
}
