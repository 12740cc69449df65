package io.agentprm.env.webshop;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.agentprm.env.webshop.catalog.CatalogFiles;
import io.agentprm.env.webshop.search.Inventory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A few products of our own, in the original's files. */
public final class TestProducts {
    private static final String PRODUCTS =
            """
            [{"asin": "B000000001", "name": "Red Wool Scarf", "full_description": "A warm scarf.",
              "small_description": ["soft wool", ""], "pricing": "$19.99 - $12.00",
              "category": "fashion", "query": " Scarves ", "product_category": "Clothing › Scarves",
              "customization_options": {"Color": [{"value": " Red/Blue "}, {"value": "next >"}],
                "Style": [{"value": "red  |  blue"}, {"value": "[big]"}], "Size": null}},
             {"asin": "nan", "name": "left out"},
             {"asin": "B00000000TOOLONG", "name": "left out"},
             {"asin": "B000000001", "name": "the same id again"},
             {"asin": "B000000002", "name": "", "full_description": "", "small_description": "one",
              "pricing": "", "category": "garden", "query": "lamps", "product_category": "",
              "customization_options": ""},
             {"asin": "B000000003", "name": "Wool Lamp", "pricing": "$1,847.00",
              "category": "garden", "query": "lamps", "product_category": "Home › Lamps"}]
            """;
    private static final String ATTRIBUTES =
            """
            {"B000000001": {"attributes": ["soft wool", "long lasting"],
               "instruction": "Find me soft scarves", "instruction_attributes": ["soft wool"]},
             "B000000002": {"attributes": []}}
            """;
    private static final String INSTRUCTIONS =
            """
            {"B000000001": [{"instruction": ".i want a scarf.", "instruction_attributes": ["soft wool"],
               "instruction_options": ["red"]},
              {"instruction": "no goal", "instruction_attributes": [], "instruction_options": []}]}
            """;

    private TestProducts() {}

    /** Writes the three files. */
    public static Path write(Path folder) {
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("items_shuffle.json"), PRODUCTS);
            Files.writeString(folder.resolve("items_ins_v2.json"), ATTRIBUTES);
            Files.writeString(folder.resolve("items_human_ins.json"), INSTRUCTIONS);
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The products in memory. */
    public static Inventory inventory(Path folder) {
        return Inventory.inMemory(CatalogFiles.in(write(folder), 0));
    }

    /** Text as JSON. */
    public static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
