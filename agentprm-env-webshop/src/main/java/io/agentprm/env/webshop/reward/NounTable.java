package io.agentprm.env.webshop.reward;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.agentprm.api.IoReasons;
import io.agentprm.env.webshop.WebshopException;
import io.agentprm.env.webshop.catalog.Digests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * Nouns looked up in a table, which another tagger made; titles that it does not have go to another
 * extractor.
 */
public final class NounTable implements NounExtractor {
    private final Map<String, List<String>> titles;
    private final NounExtractor others;

    private NounTable(Map<String, List<String>> titles, NounExtractor others) {
        this.titles = titles;
        this.others = others;
    }

    /**
     * Reads a table: JSON of the form {@code {"titles": {TITLE: [NOUN, ...]}}}, gzipped if the name
     * ends with {@code .gz}.
     *
     * @param others for titles that are not in it
     * @throws WebshopException if it cannot be read or has another form
     */
    public static NounTable read(Path file, NounExtractor others) {
        JsonNode json = parse(file).path("titles");
        if (!json.isObject()) {
            throw new WebshopException(
                    file
                            + " has no object 'titles' with the nouns of titles; check which file this is");
        }
        Map<String, List<String>> titles = new HashMap<>();
        json.properties()
                .forEach(
                        title -> {
                            List<String> nouns = new ArrayList<>();
                            title.getValue().forEach(noun -> nouns.add(noun.asText()));
                            titles.put(title.getKey(), List.copyOf(nouns));
                        });
        return new NounTable(titles, others);
    }

    /** Hash of a table's file. */
    public static String contentHash(Path file) {
        try {
            return Digests.sha256(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new WebshopException(file + " cannot be read: " + IoReasons.of(e), e);
        }
    }

    private static JsonNode parse(Path file) {
        try (InputStream raw = Files.newInputStream(file);
                InputStream plain =
                        file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
            return new ObjectMapper().readTree(plain);
        } catch (JsonProcessingException e) {
            throw new WebshopException(
                    file + ": not JSON (" + e.getOriginalMessage() + "); it may be cut off", e);
        } catch (IOException e) {
            throw new WebshopException(file + " cannot be read: " + IoReasons.of(e), e);
        }
    }

    @Override
    public List<String> nouns(String title) {
        List<String> nouns = titles.get(title);
        return nouns == null ? others.nouns(title) : nouns;
    }
}
