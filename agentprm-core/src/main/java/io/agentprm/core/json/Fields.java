package io.agentprm.core.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.core.RunException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The fields of a JSON object, with errors that name the path. Unknown fields are ignored, but one
 * that names a class is refused: data chooses among logical types only.
 */
public final class Fields {
    private final ObjectNode object;
    private final String path;

    private Fields(ObjectNode object, String path) {
        this.object = object;
        this.path = path;
    }

    /** The object's fields; {@code path} is empty for the outermost. */
    public static Fields of(JsonNode node, String path) {
        if (!(node instanceof ObjectNode object)) {
            throw new RunException(path + ": an object is expected");
        }
        for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (name.startsWith("@")) {
                throw new RunException(
                        child(path, name) + ": fields that name classes are refused");
            }
        }
        return new Fields(object, path);
    }

    public String text(String name) {
        return optionalText(name).orElseThrow(() -> wrong(name, "a text"));
    }

    public Optional<String> optionalText(String name) {
        return present(name)
                .map(
                        node -> {
                            if (!node.isTextual()) {
                                throw wrong(name, "a text");
                            }
                            return node.textValue();
                        });
    }

    public int integer(String name) {
        JsonNode node = present(name).orElseThrow(() -> wrong(name, "an integer"));
        if (!node.isIntegralNumber() || !node.canConvertToInt()) {
            throw wrong(name, "an integer");
        }
        return node.intValue();
    }

    public double number(String name) {
        OptionalDouble value = optionalNumber(name);
        if (value.isEmpty()) {
            throw wrong(name, "a number");
        }
        return value.getAsDouble();
    }

    public OptionalDouble optionalNumber(String name) {
        Optional<JsonNode> node = present(name);
        if (node.isEmpty()) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(number(node.get(), name));
    }

    public boolean flag(String name) {
        return optionalFlag(name).orElseThrow(() -> wrong(name, "true or false"));
    }

    public Optional<Boolean> optionalFlag(String name) {
        return present(name)
                .map(
                        node -> {
                            if (!node.isBoolean()) {
                                throw wrong(name, "true or false");
                            }
                            return node.booleanValue();
                        });
    }

    public Fields object(String name) {
        return optionalObject(name).orElseThrow(() -> wrong(name, "an object"));
    }

    public Optional<Fields> optionalObject(String name) {
        return present(name).map(node -> of(node, child(path, name)));
    }

    /** The objects of a list; empty if the field is absent. */
    public List<Fields> objects(String name) {
        List<Fields> objects = new ArrayList<>();
        for (JsonNode node : list(name)) {
            objects.add(of(node, child(path, name) + "[" + objects.size() + "]"));
        }
        return objects;
    }

    /** The objects of a list, with empty for a null; empty list if the field is absent. */
    public List<Optional<Fields>> optionalObjects(String name) {
        List<Optional<Fields>> objects = new ArrayList<>();
        for (JsonNode node : list(name)) {
            objects.add(
                    node.isNull()
                            ? Optional.empty()
                            : Optional.of(
                                    of(node, child(path, name) + "[" + objects.size() + "]")));
        }
        return objects;
    }

    /** The texts of a list; empty if the field is absent. */
    public Optional<List<String>> texts(String name) {
        if (present(name).isEmpty()) {
            return Optional.empty();
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode node : list(name)) {
            if (!node.isTextual()) {
                throw wrong(name, "a list of texts");
            }
            texts.add(node.textValue());
        }
        return Optional.of(texts);
    }

    public int[] integers(String name) {
        List<JsonNode> nodes = list(name);
        int[] values = new int[nodes.size()];
        for (int i = 0; i < values.length; i++) {
            JsonNode node = nodes.get(i);
            if (!node.isIntegralNumber() || !node.canConvertToInt()) {
                throw wrong(name, "a list of integers");
            }
            values[i] = node.intValue();
        }
        return values;
    }

    public double[] numbers(String name) {
        return list(name).stream().mapToDouble(node -> number(node, name)).toArray();
    }

    /** Texts by name, in their order; empty if the field is absent. */
    public Map<String, String> textMap(String name) {
        Map<String, String> map = new LinkedHashMap<>();
        Optional<JsonNode> node = present(name);
        if (node.isPresent()) {
            if (!(node.get() instanceof ObjectNode entries)) {
                throw wrong(name, "an object of texts");
            }
            for (Map.Entry<String, JsonNode> entry : entries.properties()) {
                if (!entry.getValue().isTextual()) {
                    throw wrong(name, "an object of texts");
                }
                map.put(entry.getKey(), entry.getValue().textValue());
            }
        }
        return map;
    }

    /** An error at this object. */
    public RunException error(String message) {
        return new RunException((path.isEmpty() ? "" : path + ": ") + message);
    }

    private double number(JsonNode node, String name) {
        if (!node.isNumber() || !Double.isFinite(node.doubleValue())) {
            throw wrong(name, "a finite number");
        }
        return node.doubleValue();
    }

    private List<JsonNode> list(String name) {
        List<JsonNode> nodes = new ArrayList<>();
        Optional<JsonNode> node = present(name);
        if (node.isPresent()) {
            if (!node.get().isArray()) {
                throw wrong(name, "a list");
            }
            node.get().forEach(nodes::add);
        }
        return nodes;
    }

    private Optional<JsonNode> present(String name) {
        JsonNode node = object.get(name);
        return node == null || node.isNull() ? Optional.empty() : Optional.of(node);
    }

    private RunException wrong(String name, String expected) {
        JsonNode node = object.get(name);
        return new RunException(
                child(path, name)
                        + ": "
                        + expected
                        + " is expected, "
                        + (node == null
                                ? "but the field is missing"
                                : "but this is " + node.getNodeType()));
    }

    private static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
