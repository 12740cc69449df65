package io.agentprm.env.webshop.catalog;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.agentprm.api.IoReasons;
import io.agentprm.env.webshop.WebshopException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.function.BiPredicate;
import java.util.zip.GZIPInputStream;

/**
 * One of the original's files, read as a stream: a long array or object, element by element. A name
 * that ends with {@code .gz} is unpacked on the way.
 */
final class JsonFile {
    private static final ObjectMapper JSON =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxStringLength(100_000_000)
                                                    .build())
                                    .build())
                    .build();

    private final Path file;

    JsonFile(Path file) {
        this.file = file;
    }

    /**
     * Shows the elements of the file's array, or the members of its object, until the visitor has
     * seen enough.
     *
     * @param digest is updated with every byte that is read
     * @param visitor gets the key (empty in an array) and the value, and says whether to go on
     */
    void forEach(MessageDigest digest, BiPredicate<String, JsonNode> visitor) {
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
                InputStream counted = new DigestInputStream(raw, digest);
                InputStream plain =
                        file.toString().endsWith(".gz") ? new GZIPInputStream(counted) : counted;
                JsonParser parser = JSON.getFactory().createParser(plain)) {
            read(parser, visitor);
        } catch (JsonProcessingException e) {
            JsonLocation at = e.getLocation();
            throw new WebshopException(
                    file
                            + (at == null
                                    ? ""
                                    : ", line " + at.getLineNr() + ", column " + at.getColumnNr())
                            + ": not JSON ("
                            + e.getOriginalMessage()
                            + "); the file may be cut off: fetch it again",
                    e);
        } catch (IOException e) {
            throw new WebshopException(file + " cannot be read: " + IoReasons.of(e), e);
        }
    }

    private void read(JsonParser parser, BiPredicate<String, JsonNode> visitor) throws IOException {
        JsonToken start = parser.nextToken();
        if (start != JsonToken.START_ARRAY && start != JsonToken.START_OBJECT) {
            throw new WebshopException(
                    file + " is neither a JSON array nor an object; check which file this is");
        }
        int number = 0;
        boolean more = true;
        while (more && !isEnd(parser.nextToken())) {
            String key = "";
            if (start == JsonToken.START_OBJECT) {
                key = parser.currentName();
                parser.nextToken();
            }
            number++;
            long line = parser.currentTokenLocation().getLineNr();
            JsonNode value = JSON.readTree(parser);
            try {
                more = visitor.test(key, value);
            } catch (WebshopException e) {
                throw new WebshopException(
                        file
                                + ", line "
                                + line
                                + ", entry "
                                + number
                                + (key.isEmpty() ? "" : " (" + key + ")")
                                + ": "
                                + e.getMessage(),
                        e);
            }
        }
    }

    private static boolean isEnd(JsonToken token) {
        return token == null || token == JsonToken.END_ARRAY || token == JsonToken.END_OBJECT;
    }
}
