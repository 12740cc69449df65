package io.agentprm.lm.checkpoint;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.agentprm.api.IoReasons;
import io.agentprm.lm.LanguageModelException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The one JSON mapper of this package: strict about duplicate keys and trailing text. */
final class Json {
    static final ObjectMapper MAPPER =
            JsonMapper.builder()
                    .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private Json() {}

    static JsonNode readObject(Path file) {
        try {
            return requireObject(MAPPER.readTree(Files.readAllBytes(file)), file);
        } catch (IOException e) {
            throw new LanguageModelException("Cannot read " + file + ": " + IoReasons.of(e), e);
        }
    }

    static JsonNode parseObject(byte[] json, Path file) {
        try {
            return requireObject(MAPPER.readTree(json), file);
        } catch (IOException e) {
            throw new LanguageModelException(
                    file + ": not valid JSON: " + firstLine(e.getMessage()), e);
        }
    }

    /**
     * Writes indented JSON with the keys in the order of the tree: the same tree, the same bytes.
     */
    static void write(Path file, JsonNode node) {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentObjectsWith(new DefaultIndenter("  ", "\n"));
        printer.indentArraysWith(new DefaultIndenter("  ", "\n"));
        try {
            String text = MAPPER.writer(printer).writeValueAsString(node) + "\n";
            Files.write(file, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new LanguageModelException("Cannot write " + file + ": " + IoReasons.of(e), e);
        }
    }

    private static JsonNode requireObject(JsonNode node, Path file) {
        if (node == null || !node.isObject()) {
            throw new LanguageModelException(file + ": expected a JSON object");
        }
        return node;
    }

    private static String firstLine(String message) {
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }
}
