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
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a {@code tokenizer.json} holds. Its vocabulary and merge rules are read as a stream: they
 * have hundreds of thousands of entries, and a tree of them takes many times the file's size. Of
 * each text there is one string, whichever of the two comes first in the file.
 */
final class TokenizerFile {
    /** Instead of an id: a merge rule names the text, the vocabulary does not. */
    static final int UNKNOWN = Integer.MIN_VALUE;

    /** Names are mostly the vocabulary's, each of which occurs once. */
    private static final ObjectMapper MAPPER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                                    .build())
                    .build();

    private final ObjectNode rest = MAPPER.createObjectNode();
    private final TextTable numbers = new TextTable(1 << 10);
    private final List<String> texts = new ArrayList<>();
    private final IntList ids = new IntList(1 << 10);
    private final IntList merges = new IntList(1 << 10);
    private int vocabularySize;

    private TokenizerFile() {}

    /**
     * @throws LanguageModelException if the file cannot be read
     */
    static TokenizerFile read(Path file) {
        TokenizerFile content = new TokenizerFile();
        try (InputStream in = Files.newInputStream(file);
                JsonParser parser = MAPPER.createParser(in)) {
            parser.nextToken();
            content.readObject(parser, content.rest, true);
            return content;
        } catch (IOException e) {
            throw new LanguageModelException("Cannot read " + file + ": " + IoReasons.of(e), e);
        }
    }

    /** Everything but the vocabulary and the merge rules, and a vocabulary that is no object. */
    JsonNode rest() {
        return rest;
    }

    /** How many texts the vocabulary has. */
    int vocabularySize() {
        return vocabularySize;
    }

    /** The texts of the vocabulary and of the merge rules, each once. */
    List<String> texts() {
        return Collections.unmodifiableList(texts);
    }

    /** The id of a text, by its place in the list; -1 for what is no integer, or UNKNOWN. */
    int id(int text) {
        return ids.get(text);
    }

    /** How many merge rules there are. */
    int merges() {
        return merges.size() / 2;
    }

    /** The left text of a merge rule. */
    String left(int merge) {
        return texts.get(merges.get(2 * merge));
    }

    /** The right text of a merge rule. */
    String right(int merge) {
        return texts.get(merges.get(2 * merge + 1));
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
            String name = parser.currentName();
            int number = numbers.get(name);
            int text = number == TextTable.NONE ? add(name) : number;
            boolean integer = parser.nextToken() == JsonToken.VALUE_NUMBER_INT;
            vocabularySize += ids.get(text) == UNKNOWN ? 1 : 0;
            ids.set(text, integer ? parser.getIntValue() : -1);
            parser.skipChildren();
        }
    }

    /** Older files join the two tokens of a rule with a space, newer ones hold a list. */
    private void readMerges(JsonParser parser) throws IOException {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() == JsonToken.START_ARRAY) {
                readPair(parser);
            } else {
                char[] text = parser.getTextCharacters();
                int from = parser.getTextOffset();
                int length = parser.getTextLength();
                int left = 0;
                while (left < length && text[from + left] != ' ') {
                    left++;
                }
                int right = Math.max(0, length - left - 1);
                addMerged(text, from, left);
                addMerged(text, from + length - right, right);
            }
        }
    }

    private void readPair(JsonParser parser) throws IOException {
        int side = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            boolean text = parser.currentToken() == JsonToken.VALUE_STRING;
            if (side++ < 2) {
                addMerged(
                        parser.getTextCharacters(),
                        parser.getTextOffset(),
                        text ? parser.getTextLength() : 0);
            }
            parser.skipChildren();
        }
        while (side++ < 2) {
            addMerged(new char[0], 0, 0);
        }
    }

    /** Most rules need no new string. */
    private void addMerged(char[] characters, int from, int length) {
        int number = numbers.get(characters, from, length);
        boolean known = number != TextTable.NONE;
        merges.add(known ? number : add(new String(characters, from, length)));
    }

    private int add(String text) {
        int number = texts.size();
        numbers.put(text, number);
        texts.add(text);
        ids.add(UNKNOWN);
        return number;
    }
}
