package io.agentprm.env.alfworld.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.env.alfworld.AlfworldException;
import java.util.ArrayList;
import java.util.List;

/** Fields of recordings; an error says which one is missing or of the wrong kind. */
final class Fields {
    private Fields() {}

    static JsonNode required(JsonNode json, String name) {
        JsonNode value = json.path(name);
        if (value.isMissingNode() || value.isNull()) {
            throw new AlfworldException("field '" + name + "' is missing; record the game again");
        }
        return value;
    }

    static String text(JsonNode json, String name) {
        JsonNode value = required(json, name);
        if (!value.isTextual()) {
            throw new AlfworldException("field '" + name + "' must be a string");
        }
        return value.textValue();
    }

    static boolean flag(JsonNode json, String name) {
        JsonNode value = required(json, name);
        if (!value.isBoolean()) {
            throw new AlfworldException("field '" + name + "' must be true or false");
        }
        return value.booleanValue();
    }

    static double number(JsonNode json, String name) {
        JsonNode value = required(json, name);
        if (!value.isNumber()) {
            throw new AlfworldException("field '" + name + "' must be a number");
        }
        return value.doubleValue();
    }

    static List<String> texts(JsonNode json, String name) {
        JsonNode value = required(json, name);
        List<String> texts = new ArrayList<>();
        for (JsonNode item : value) {
            texts.add(item.asText());
        }
        return texts;
    }
}
