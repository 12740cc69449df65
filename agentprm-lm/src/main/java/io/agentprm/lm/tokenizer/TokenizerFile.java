package io.agentprm.lm.tokenizer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agentprm.api.IoReasons;
import io.agentprm.lm.LanguageModelException;
import io.agentprm.lm.tokenizer.ByteLevelTokenizer.Merge;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a {@code tokenizer.json} holds. Its vocabulary and merge rules are read as a stream: they
 * have hundreds of thousands of entries, and a tree of them takes many times the file's size.
 *
 * @param rest everything else, and a vocabulary that is no map from texts to ids
 * @param vocabulary ids by text; -1 for what is no integer
 */
record TokenizerFile(JsonNode rest, Map<String, Integer> vocabulary, List<Merge> merges) {
    /** Names are mostly the vocabulary's, each of which occurs once. */
    private static final ObjectMapper MAPPER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                                    .build())
                    .build();

    /**
     * @throws LanguageModelException if the file cannot be read
     */
    static TokenizerFile read(Path file) {
        TokenizerFile empty =
                new TokenizerFile(
                        MAPPER.createObjectNode(), new LinkedHashMap<>(), new ArrayList<>());
        try (InputStream in = Files.newInputStream(file);
                JsonParser parser = MAPPER.createParser(in)) {
            parser.nextToken();
            empty.readObject(parser, (ObjectNode) empty.rest(), true);
            return empty;
        } catch (IOException e) {
            throw new LanguageModelException("Cannot read " + file + ": " + IoReasons.of(e), e);
        }
    }

    private void readObject(JsonParser parser, ObjectNode target, boolean outermost)
            throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (outermost && name.equals("model") && value == JsonToken.START_OBJECT) {
                readObject(parser, target.putObject(name), false);
            } else if (!outermost && name.equals("vocab") && value == JsonToken.START_OBJECT) {
                readVocabulary(parser);
            } else if (!outermost && name.equals("merges") && value == JsonToken.START_ARRAY) {
                readMerges(parser);
            } else {
                target.set(name, parser.readValueAsTree());
            }
        }
    }

    private void readVocabulary(JsonParser parser) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String text = parser.currentName();
            boolean integer = parser.nextToken() == JsonToken.VALUE_NUMBER_INT;
            vocabulary.put(text, integer ? parser.getIntValue() : -1);
            parser.skipChildren();
        }
    }

    /** Older files join the two tokens of a rule with a space, newer ones hold a list. */
    private void readMerges(JsonParser parser) throws IOException {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() == JsonToken.START_ARRAY) {
                String left = parser.nextTextValue();
                merges.add(merge(left, parser.nextTextValue()));
                while (parser.currentToken() != JsonToken.END_ARRAY) {
                    parser.nextToken();
                }
            } else {
                String both = parser.getText();
                int space = both.indexOf(' ');
                merges.add(
                        space < 0
                                ? merge(both, "")
                                : merge(both.substring(0, space), both.substring(space + 1)));
            }
        }
    }

    private static Merge merge(String left, String right) {
        return new Merge(left == null ? "" : left, right == null ? "" : right);
    }
}
