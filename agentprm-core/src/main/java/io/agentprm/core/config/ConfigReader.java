package io.agentprm.core.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.agentprm.core.config.ConfigNode.Entries;
import io.agentprm.core.config.ConfigNode.Entry;
import io.agentprm.core.config.ConfigNode.Items;
import io.agentprm.core.config.ConfigNode.Scalar;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Text to tree. */
final class ConfigReader {
    private final JsonParser parser;
    private final String source;

    private ConfigReader(JsonParser parser, String source) {
        this.parser = parser;
        this.source = source;
    }

    static ConfigNode read(Path file) {
        String text = text(file);
        return parse(
                file.toString().endsWith(".json") ? new JsonFactory() : new YAMLFactory(),
                text,
                file.toString());
    }

    private static String text(Path file) {
        if (Files.isDirectory(file)) {
            throw unreadable(file, "is a directory; name a file");
        }
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw unreadable(file, "there is no such file");
        } catch (AccessDeniedException e) {
            throw unreadable(file, "is not readable; ask for the permission to read it");
        } catch (IOException e) {
            throw unreadable(file, "cannot be read: " + e.getMessage());
        }
        ByteBuffer input = ByteBuffer.wrap(bytes);
        CharBuffer text = CharBuffer.allocate(bytes.length);
        CoderResult end = StandardCharsets.UTF_8.newDecoder().decode(input, text, true);
        if (end.isError()) {
            int at = input.position();
            int line = 1;
            for (int i = 0; i < at; i++) {
                line += bytes[i] == '\n' ? 1 : 0;
            }
            throw new ConfigException(
                    Location.of(file + ":" + line),
                    "",
                    "is not UTF-8 text at byte " + at + "; save the file as UTF-8");
        }
        return text.flip().toString();
    }

    private static ConfigException unreadable(Path file, String reason) {
        return new ConfigException(Location.of(file.toString()), "", reason);
    }

    static ConfigNode yaml(String text, String source) {
        return parse(new YAMLFactory(), text, source);
    }

    private static ConfigNode parse(JsonFactory factory, String text, String source) {
        try (JsonParser parser = factory.createParser(text)) {
            ConfigReader reader = new ConfigReader(parser, source);
            if (parser.nextToken() == null) {
                return ConfigNode.empty(new Location(source, 1, 1));
            }
            ConfigNode root = reader.node("");
            if (parser.nextToken() != null) {
                throw new ConfigException(
                        reader.here(), "", "something follows the end of the configuration");
            }
            return root;
        } catch (JsonProcessingException e) {
            JsonLocation at = e.getLocation();
            throw new ConfigException(
                    at == null
                            ? Location.of(source)
                            : new Location(source, at.getLineNr(), at.getColumnNr()),
                    "",
                    e.getOriginalMessage());
        } catch (IOException e) {
            throw new ConfigException(Location.of(source), "", "cannot be read: " + e);
        }
    }

    private Location here() {
        JsonLocation at = parser.currentTokenLocation();
        return new Location(source, at.getLineNr(), at.getColumnNr());
    }

    private ConfigNode node(String path) throws IOException {
        Location location = here();
        if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
            throw new ConfigException(
                    location, path, "YAML aliases are not supported: write the value out");
        }
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> entries(location, path);
            case START_ARRAY -> items(location, path);
            case VALUE_TRUE, VALUE_FALSE ->
                    new Scalar(location, Scalar.Kind.BOOLEAN, parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
                    new Scalar(location, Scalar.Kind.NUMBER, parser.getText());
            case VALUE_NULL -> new Scalar(location, Scalar.Kind.NOTHING, "");
            default -> new Scalar(location, Scalar.Kind.TEXT, parser.getText());
        };
    }

    private ConfigNode items(Location location, String path) throws IOException {
        List<ConfigNode> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node(path + "[" + items.size() + "]"));
        }
        return new Items(location, items);
    }

    private ConfigNode entries(Location location, String path) throws IOException {
        Map<String, Entry> entries = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            Location keyLocation = here();
            String key = parser.currentName();
            parser.nextToken();
            String keyPath = Names.child(path, key);
            Entry earlier = entries.put(key, new Entry(keyLocation, node(keyPath)));
            if (earlier != null) {
                throw new ConfigException(
                        keyLocation,
                        keyPath,
                        "the key stands here twice; first at " + earlier.keyLocation());
            }
        }
        return new Entries(location, entries);
    }
}
