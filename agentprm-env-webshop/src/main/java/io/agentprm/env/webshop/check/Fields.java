package io.agentprm.env.webshop.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.goal.Goal;
import io.agentprm.env.webshop.goal.GoalOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Fields of recordings; an error says which one is missing or of the wrong kind. */
final class Fields {
    private Fields() {}

    static JsonNode required(JsonNode json, String name) {
        JsonNode value = json.path(name);
        if (value.isMissingNode() || value.isNull()) {
            throw new WebshopException("field '" + name + "' is missing; record the case again");
        }
        return value;
    }

    static JsonNode list(JsonNode json, String name) {
        JsonNode value = required(json, name);
        if (!value.isArray()) {
            throw new WebshopException("field '" + name + "' must be a list");
        }
        return value;
    }

    static String text(JsonNode json, String name) {
        JsonNode value = required(json, name);
        if (!value.isTextual()) {
            throw new WebshopException("field '" + name + "' must be a string");
        }
        return value.textValue();
    }

    static boolean flag(JsonNode json, String name) {
        JsonNode value = required(json, name);
        if (!value.isBoolean()) {
            throw new WebshopException("field '" + name + "' must be true or false");
        }
        return value.booleanValue();
    }

    static double number(JsonNode json, String name) {
        JsonNode value = required(json, name);
        if (!value.isNumber()) {
            throw new WebshopException("field '" + name + "' must be a number");
        }
        return value.doubleValue();
    }

    static List<String> texts(JsonNode json, String name) {
        List<String> texts = new ArrayList<>();
        list(json, name).forEach(item -> texts.add(item.asText()));
        return texts;
    }

    static Map<String, String> dict(JsonNode json, String name) {
        Map<String, String> dict = new LinkedHashMap<>();
        required(json, name)
                .properties()
                .forEach(entry -> dict.put(entry.getKey(), entry.getValue().asText()));
        return dict;
    }

    /** A goal with all its parts. */
    static Goal goal(JsonNode json) {
        return new Goal(
                text(json, "asin"),
                text(json, "category"),
                text(json, "query"),
                text(json, "name"),
                text(json, "product_category"),
                text(json, "instruction_text"),
                texts(json, "attributes"),
                number(json, "price_upper"),
                options(required(json, "goal_options")));
    }

    /** Pairs of name and value in goals made by rule, values alone in those of people. */
    private static List<GoalOption> options(JsonNode json) {
        List<GoalOption> options = new ArrayList<>();
        if (json.isArray()) {
            json.forEach(value -> options.add(GoalOption.of(value.asText())));
        } else {
            json.properties()
                    .forEach(
                            pair ->
                                    options.add(
                                            GoalOption.of(
                                                    pair.getKey(), pair.getValue().asText())));
        }
        return options;
    }
}
