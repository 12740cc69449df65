package io.agentprm.env.webshop.generator;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A product in the form of the original's files.
 *
 * @param asin its id
 * @param product entry of {@code items_shuffle}
 * @param attributes entry of {@code items_ins_v2}
 * @param instructions entry of {@code items_human_ins}; an empty list for none
 */
public record GeneratedItem(
        String asin, JsonNode product, JsonNode attributes, JsonNode instructions) {}
