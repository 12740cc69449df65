package io.agentprm.env.webshop.generator;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.agentprm.api.IoReasons;
import io.agentprm.env.webshop.WebshopException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a generated catalogue as the three files of the original, one product at a time. */
public final class CatalogWriter {
    private static final ObjectMapper JSON = new ObjectMapper();

    private CatalogWriter() {}

    /**
     * Writes {@code items_shuffle.json}, {@code items_ins_v2.json} and {@code items_human_ins.json}
     * into a folder, which is made if need be.
     *
     * @throws WebshopException if they cannot be written
     */
    public static void write(CatalogGenerator generator, Path folder) {
        try {
            Files.createDirectories(folder);
            try (JsonGenerator products = open(folder.resolve("items_shuffle.json"));
                    JsonGenerator attributes = open(folder.resolve("items_ins_v2.json"));
                    JsonGenerator instructions = open(folder.resolve("items_human_ins.json"))) {
                products.writeStartArray();
                attributes.writeStartObject();
                instructions.writeStartObject();
                for (int i = 0; i < generator.options().products(); i++) {
                    GeneratedItem item = generator.item(i);
                    products.writeRaw('\n');
                    products.writeTree(item.product());
                    attributes.writeFieldName(item.asin());
                    attributes.writeTree(item.attributes());
                    if (!item.instructions().isEmpty()) {
                        instructions.writeFieldName(item.asin());
                        instructions.writeTree(item.instructions());
                    }
                }
                products.writeEndArray();
                attributes.writeEndObject();
                instructions.writeEndObject();
            }
        } catch (IOException e) {
            throw new WebshopException(
                    "the catalogue cannot be written into " + folder + ": " + IoReasons.of(e), e);
        }
    }

    private static JsonGenerator open(Path file) throws IOException {
        return JSON.getFactory().createGenerator(Files.newBufferedWriter(file)).setCodec(JSON);
    }
}
