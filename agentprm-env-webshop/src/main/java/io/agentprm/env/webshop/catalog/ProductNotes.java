package io.agentprm.env.webshop.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import io.agentprm.env.webshop.WebshopException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is known of products beside the scraped data: attributes and instructions, by asin. */
public final class ProductNotes {
    private final Map<String, List<String>> attributes = new HashMap<>();
    private final Map<String, SyntheticRequest> requests = new HashMap<>();
    private final Map<String, List<HumanInstruction>> instructions = new HashMap<>();

    /** The same attributes occur in very many products. */
    private final Map<String, String> shared = new HashMap<>();

    /**
     * Adds an entry of {@code items_ins_v2}.
     *
     * @throws WebshopException if it is no such entry
     */
    public void addAttributes(String asin, JsonNode json) {
        if (!json.isObject()) {
            throw new WebshopException("an object with 'attributes' is expected");
        }
        if (json.path("attributes").isArray()) {
            attributes.put(asin, texts(json, "attributes"));
        }
        JsonNode text = json.path("instruction");
        if (text.isTextual()) {
            List<String> asked = texts(json, "instruction_attributes");
            requests.put(asin, new SyntheticRequest(text.textValue(), asked));
        }
    }

    /**
     * Adds an entry of {@code items_human_ins}.
     *
     * @throws WebshopException if it is no such entry
     */
    public void addInstructions(String asin, JsonNode json) {
        if (!json.isArray()) {
            throw new WebshopException("a list of instructions is expected");
        }
        List<HumanInstruction> read = new ArrayList<>();
        for (JsonNode one : json) {
            read.add(
                    new HumanInstruction(
                            one.path("instruction").asText(""),
                            texts(one, "instruction_attributes"),
                            texts(one, "instruction_options")));
        }
        instructions.put(asin, List.copyOf(read));
    }

    private List<String> texts(JsonNode json, String name) {
        List<String> texts = new ArrayList<>();
        for (JsonNode item : json.path(name)) {
            if (!item.isTextual()) {
                throw new WebshopException("'" + name + "' must be a list of strings");
            }
            texts.add(shared.computeIfAbsent(item.textValue(), text -> text));
        }
        return List.copyOf(texts);
    }

    Optional<List<String>> attributes(String asin) {
        return Optional.ofNullable(attributes.get(asin));
    }

    Optional<SyntheticRequest> request(String asin) {
        return Optional.ofNullable(requests.get(asin));
    }

    List<HumanInstruction> instructions(String asin) {
        return instructions.getOrDefault(asin, List.of());
    }
}
