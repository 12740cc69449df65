package io.agentprm.env.webshop.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.python.PythonText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The original's loading of a product. Remembers the ids it has seen, so that a second product of
 * the same id is left out.
 */
public final class ProductReader {
    /** What a product without an entry has. */
    private static final List<String> NO_ATTRIBUTES = List.of("DUMMY_ATTR");

    private static final int LONGEST_ASIN = 10;

    private final ProductNotes notes;
    private final Set<String> seen = new HashSet<>();

    public ProductReader(ProductNotes notes) {
        this.notes = notes;
    }

    /**
     * Reads a product.
     *
     * @return empty if the original leaves it out: no proper id, or one that was there before
     * @throws WebshopException if a field is missing or of the wrong kind
     */
    public Optional<Product> read(JsonNode json) {
        if (!json.isObject()) {
            throw new WebshopException("a product must be a JSON object");
        }
        String asin = text(json, "asin");
        if (asin.isEmpty()) {
            throw new WebshopException("the product has no 'asin'");
        }
        if (asin.equals("nan") || asin.length() > LONGEST_ASIN || !seen.add(asin)) {
            return Optional.empty();
        }
        List<Double> pricing = Prices.parse(text(json, "pricing"));
        return Optional.of(
                new Product(
                        asin,
                        text(json, "name"),
                        text(json, "full_description"),
                        bullets(json.path("small_description")),
                        pricing,
                        Prices.tag(pricing),
                        options(json.path("customization_options")),
                        notes.attributes(asin).orElse(NO_ATTRIBUTES),
                        text(json, "category"),
                        PythonText.strip(PythonText.lower(text(json, "query"))),
                        text(json, "product_category"),
                        notes.request(asin),
                        notes.instructions(asin)));
    }

    private static String text(JsonNode json, String name) {
        JsonNode value = json.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        if (!value.isTextual()) {
            throw new WebshopException("'" + name + "' must be a string");
        }
        return value.textValue();
    }

    private static List<String> bullets(JsonNode json) {
        List<String> bullets = new ArrayList<>();
        if (json.isArray()) {
            json.forEach(bullet -> bullets.add(bullet.asText("")));
        }
        if (bullets.isEmpty()) {
            bullets.add(json.asText(""));
        }
        return bullets;
    }

    private static Map<String, List<String>> options(JsonNode json) {
        Map<String, List<String>> options = new LinkedHashMap<>();
        if (!json.isObject()) {
            return options;
        }
        json.properties()
                .forEach(
                        group -> {
                            if (!group.getValue().isNull()) {
                                options.put(
                                        PythonText.lower(group.getKey()), values(group.getValue()));
                            }
                        });
        return options;
    }

    private static List<String> values(JsonNode json) {
        List<String> values = new ArrayList<>();
        for (JsonNode option : json) {
            String value = text(option, "value");
            values.add(PythonText.lower(PythonText.strip(value).replace("/", " | ")));
        }
        return List.copyOf(values);
    }
}
